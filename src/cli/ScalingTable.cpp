#include "cli/ScalingTable.hpp"

#include "network/Parameters.hpp"
#include "network/UserError.hpp"
#include "plan/Scaling.hpp"
#include "train/ScheduleFor.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

constexpr std::uint32_t kMostIpus = 64;

// Of one update with `batch` samples on one replica, by the strategy the settings ask for.
double computeSeconds(Settings settings, const PlanOptions& options, std::uint32_t batch) {
  settings.train.batchSize = batch;
  settings.train.microBatch = 0;
  const PlanInputs inputs = planInputs(settings, options);
  const StrategyKind kind = settings.checkpoint.strategy;
  if (kind != StrategyKind::Auto) {
    return planOfRun(planStrategyOf(kind), settings, inputs, plan::PlanDetail::Times).time.total /
           inputs.clockHz;
  }
  const plan::Plan found = plan::planAll(inputs.request, inputs.memory);
  if (!found.chosen) {
    throw UserError(fmt::format("with {} samples on an IPU nothing fits: {}", batch, found.reason));
  }
  return found.table[*found.chosen].time.total / inputs.clockHz;
}

std::string tableOf(const std::vector<plan::ScalingRow>& rows) {
  std::string text = "  IPUs  hosts  samples   compute  all-reduce  share  samples/s  speed-up  "
                     "efficiency\n";
  for (const plan::ScalingRow& row : rows) {
    text += fmt::format("{:6}{:7}{:9.0f}{:7.2f} ms{:9.3f} ms{:5.1f} %{:11.0f}{:9.1f}x{:10.0f} %\n",
                        row.point.numIpus, row.numHosts, row.point.samples,
                        1e3 * row.point.computeSeconds, 1e3 * row.reduceSeconds,
                        100.0 * row.reduceSeconds / row.seconds(), row.samplesPerSecond,
                        row.speedup, 100.0 * row.efficiency);
  }
  if (const auto last = plan::stopsPayingAt(rows)) {
    text += fmt::format("  stops paying at {} IPUs: twice as many gain {:.2f}x, less than {}x\n",
                        rows[*last].point.numIpus,
                        rows[*last + 1].samplesPerSecond / rows[*last].samplesPerSecond,
                        plan::kWorthwhileGain);
  } else {
    text += fmt::format("  pays as far as the table goes: every doubling gains {}x or more\n",
                        plan::kWorthwhileGain);
  }
  return text;
}

} // namespace

std::string scalingAsText(const Settings& settings, const PlanOptions& options) {
  if (settings.machine.device == DeviceKind::Cpu) {
    throw UserError("--scaling is of IPUs: machine.device must be model or ipu");
  }
  std::uint64_t gradientBytes = 0;
  for (const ParameterTensor& tensor : parameterShapes(settings.network)) {
    std::uint64_t size = sizeof(float);
    for (const std::size_t extent : tensor.shape) {
      size *= extent;
    }
    gradientBytes += size;
  }
  const plan::FabricSpeed fabric;
  const std::uint32_t batch = settings.train.batchSize;
  const double whole = computeSeconds(settings, options, batch);
  std::vector<plan::ScalingPoint> strong, weak;
  for (std::uint32_t n = 1; n <= kMostIpus; n *= 2) {
    weak.push_back({n, static_cast<double>(batch) * n, whole});
    if (batch % n == 0) {
      strong.push_back(
          {n, static_cast<double>(batch), computeSeconds(settings, options, batch / n)});
    }
  }
  std::string text = fmt::format(
      "data parallelism, modelled: a replica on each IPU, {:.2f} MB of gradients summed after "
      "every "
      "update\n  {}\n  all-reduce: a ring among the {} IPUs of a host at {:g} GB/s and {:g} us a "
      "message,\n  then one among hosts at {:g} GB/s and {:g} us; not overlapped with compute; "
      "data "
      "arrives in time\n",
      static_cast<double>(gradientBytes) / 1e6, planInputs(settings, options).assumptions,
      fabric.ipusPerHost, fabric.ipuLinkBytesPerSecond / 1e9, fabric.ipuSyncSeconds * 1e6,
      fabric.hostLinkBytesPerSecond / 1e9, fabric.hostLatencySeconds * 1e6);
  text += fmt::format("strong scaling, {} samples an update over all IPUs\n", batch) +
          tableOf(plan::scalingOf(strong, gradientBytes, fabric));
  text += fmt::format("weak scaling, {} samples an update on each IPU\n", batch) +
          tableOf(plan::scalingOf(weak, gradientBytes, fabric));
  return text;
}

} // namespace spillway
