#include "plan/LinkCosts.hpp"

#include <algorithm>
#include <numeric>

namespace spillway::plan {
namespace {

constexpr double kIdBytes = 2.0; // as our lists hold them
constexpr double kLocalSyncCycles = 126.0;
// Exchanges of a block of steps: spikes to the layer above and to the lists; of light steps, spikes
// alone; backward, spikes, adjoints, partial gradients and their sums.
constexpr double kForward = 2.0, kLight = 1.0, kBackward = 4.0;

} // namespace

void addLinkCosts(const LinkSpeed& link, const Activity& activity, std::uint32_t batch,
                  std::uint32_t blockSteps, std::uint32_t lightSteps, double clockHz,
                  Costs& costs) {
  if (link.numIpus < 2) {
    return;
  }
  const double sync = link.globalSyncCycles - kLocalSyncCycles;
  const double ids = batch * (activity.inputs +
                              std::accumulate(activity.spikes.begin(), activity.spikes.end(), 0.0));
  const double gradients =
      batch * std::accumulate(activity.gradients.begin(), activity.gradients.end(), 0.0);
  const double cyclesPerByte = clockHz / link.bytesPerSecond;
  const double block = std::max(1u, blockSteps), light = std::max(1u, lightSteps);
  costs.forward += kForward * sync / block + ids * kIdBytes * cyclesPerByte;
  costs.light += kLight * sync / light + ids * kIdBytes * cyclesPerByte;
  costs.backward += kBackward * sync / block +
                    (ids * kIdBytes + 4.0 * gradients * (link.numIpus - 1)) * cyclesPerByte;
}

} // namespace spillway::plan
