#include "plan/Scaling.hpp"

#include <algorithm>

namespace spillway::plan {
namespace {

double ringSeconds(double bytes, double members, double bytesPerSecond, double messageSeconds) {
  return 2.0 * (members - 1.0) * (bytes / members / bytesPerSecond + messageSeconds);
}

std::uint32_t hostsOf(std::uint32_t numIpus, const FabricSpeed& fabric) {
  return (numIpus + fabric.ipusPerHost - 1) / fabric.ipusPerHost;
}

} // namespace

double allReduceSeconds(std::uint64_t bytes, std::uint32_t numIpus, const FabricSpeed& fabric) {
  const auto all = static_cast<double>(bytes);
  return ringSeconds(all, std::min(numIpus, fabric.ipusPerHost), fabric.ipuLinkBytesPerSecond,
                     fabric.ipuSyncSeconds) +
         ringSeconds(all, hostsOf(numIpus, fabric), fabric.hostLinkBytesPerSecond,
                     fabric.hostLatencySeconds);
}

std::vector<ScalingRow> scalingOf(const std::vector<ScalingPoint>& points,
                                  std::uint64_t gradientBytes, const FabricSpeed& fabric) {
  std::vector<ScalingRow> rows;
  for (const ScalingPoint& point : points) {
    ScalingRow row;
    row.point = point;
    row.numHosts = hostsOf(point.numIpus, fabric);
    row.reduceSeconds = allReduceSeconds(gradientBytes, point.numIpus, fabric);
    row.samplesPerSecond = point.samples / row.seconds();
    const ScalingRow& first = rows.empty() ? row : rows.front();
    row.speedup = row.samplesPerSecond / first.samplesPerSecond;
    row.efficiency = row.speedup * first.point.numIpus / point.numIpus;
    rows.push_back(row);
  }
  return rows;
}

std::optional<std::size_t> stopsPayingAt(const std::vector<ScalingRow>& rows) {
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    if (rows[i + 1].samplesPerSecond < kWorthwhileGain * rows[i].samplesPerSecond) {
      return i;
    }
  }
  return std::nullopt;
}

} // namespace spillway::plan
