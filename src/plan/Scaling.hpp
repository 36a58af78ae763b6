// What data parallelism gains on many IPUs: a replica on each, gradients summed after every batch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::plan {

struct FabricSpeed {
  std::uint32_t ipusPerHost = 4;        // IPU-M2000, Bow-2000: data sheets
  double ipuLinkBytesPerSecond = 160e9; // per IPU and direction: half of the data sheets' 320 GB/s
  double ipuSyncSeconds = 0.45e-6;      // 600 cycles of 1.33 GHz, as the IPU Model's global sync
  double hostLinkBytesPerSecond = 25e9; // GW-Links of a machine, 2 x 100 Gbit/s: data sheets
  double hostLatencySeconds = 5e-6;     // of a message between machines: assumed
};

// A ring among the IPUs of a host, then one among hosts: each sends 2 (n - 1)/n of the bytes in
// 2 (n - 1) messages. Hosts are filled before another is taken.
double allReduceSeconds(std::uint64_t bytes, std::uint32_t numIpus, const FabricSpeed& fabric);

struct ScalingPoint {
  std::uint32_t numIpus = 1;
  double samples = 0.0;        // of one update, over all IPUs
  double computeSeconds = 0.0; // of one update on each
};

struct ScalingRow {
  ScalingPoint point;
  std::uint32_t numHosts = 1;
  double reduceSeconds = 0.0;
  double samplesPerSecond = 0.0;
  double speedup = 0.0, efficiency = 0.0; // in samples per second, against the first row

  double seconds() const { return point.computeSeconds + reduceSeconds; }
};

// REQUIRES: points in order of IPUs, each with twice those of the one before.
std::vector<ScalingRow> scalingOf(const std::vector<ScalingPoint>& points,
                                  std::uint64_t gradientBytes, const FabricSpeed& fabric);

// The first row from which twice the IPUs gain less than half of what they could (a factor of 1.5);
// none where all rows gain more.
inline constexpr double kWorthwhileGain = 1.5;
std::optional<std::size_t> stopsPayingAt(const std::vector<ScalingRow>& rows);

} // namespace spillway::plan
