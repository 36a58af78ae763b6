#include "plan/TimeModel.hpp"

#include "plan/TileBytes.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::plan {

namespace {

class Clocks {
public:
  explicit Clocks(const Costs& costs) : costs_(costs) {}

  void apply(const Action& action) {
    spend(split_.sync, costs_.perAction);
    const double steps = static_cast<double>(action.end - action.begin);
    switch (action.kind) {
    case ActionKind::Forward:
      spend(split_.sync, costs_.forwardFill + emptyBlocks(steps) * costs_.forwardBlock);
      return spend(split_.forward, steps * costs_.forward);
    case ActionKind::Light:
      return spend(split_.recompute, steps * costs_.light);
    case ActionKind::Backward:
      spend(split_.sync, costs_.backwardFill + emptyBlocks(steps) * costs_.backwardBlock);
      return spend(split_.backward, steps * costs_.backward);
    case ActionKind::Copy:
      return;
    case ActionKind::WriteRemote:
      return synchronous(costs_.writeLatency, action.count * costs_.writePerState);
    case ActionKind::ReadRemote:
      return synchronous(costs_.readLatency, action.count * costs_.readPerState);
    case ActionKind::StartWrite:
      if (costs_.waitsForTransfers)
        return synchronous(costs_.writeLatency, costs_.writePerState);
      waitUntil(costs_.meetsTransfers ? channelFree_ : outgoingFree_);
      spend(split_.sync, costs_.stageOut);
      outgoingFree_ = start(costs_.write());
      return;
    case ActionKind::StartRead:
      if (costs_.waitsForTransfers)
        return synchronous(costs_.readLatency, costs_.readPerState);
      if (costs_.meetsTransfers)
        waitUntil(channelFree_);
      arrival_ = start(costs_.read());
      return;
    case ActionKind::FinishRead:
      waitUntil(arrival_);
      return spend(split_.sync, costs_.stageIn);
    case ActionKind::WriteSpikes:
      return synchronous(0.0, costs_.spikeWrite);
    case ActionKind::ReadSpikes:
      return synchronous(0.0, costs_.spikeRead);
    }
  }

  void readPages(double count) { spend(split_.sync, count * costs_.actionPage); }

  TimeSplit finish() {
    split_.total = now_;
    split_.hidden = std::max(0.0, started_ - split_.stall);
    return split_;
  }

private:
  void spend(double& part, double time) {
    part += time;
    now_ += time;
  }

  // What the last block of a range has no steps for.
  double emptyBlocks(double steps) const {
    const double blocks = steps / costs_.blockSteps;
    return std::ceil(blocks) - blocks;
  }

  void waitUntil(double time) { spend(split_.stall, std::max(0.0, time - now_)); }

  void synchronous(double latency, double bytes) {
    waitUntil(channelFree_);
    spend(split_.sync, latency);
    spend(split_.transfer, bytes);
    channelFree_ = now_;
  }

  double start(double duration) {
    channelFree_ = std::max(now_, channelFree_) + duration;
    started_ += duration;
    return channelFree_;
  }

  const Costs& costs_;
  TimeSplit split_;
  double now_ = 0.0, channelFree_ = 0.0, outgoingFree_ = 0.0, arrival_ = 0.0, started_ = 0.0;
};

double baseTime(Step numSteps, const Costs& costs) {
  return numSteps * (costs.forward + costs.backward);
}

} // namespace

TimeSplit timeOf(const Schedule& schedule, const Costs& costs) {
  Clocks clocks(costs);
  if (schedule.actions.size() + 2 > kActionsPerPage)
    clocks.readPages(static_cast<double>(schedule.actions.size()) / (kActionsPerPage - 1) + 1.0);
  for (const Action& action : schedule.actions)
    clocks.apply(action);
  return clocks.finish();
}

double synchronousLowerBound(Step numSteps, std::uint32_t numSlots, const Costs& costs) {
  const double notKept = numSteps > numSlots ? numSteps - numSlots : 0;
  return baseTime(numSteps, costs) + notKept * std::min(costs.light, costs.write() + costs.read());
}

double overlappedLowerBound(Step numSteps, std::uint32_t numSlots, const Costs& costs) {
  const double notKept =
      numSteps > numSlots + std::uint64_t{2} ? static_cast<double>(numSteps - numSlots - 2) : 0.0;
  const double roundTrip = costs.write() + costs.read();
  const double base = baseTime(numSteps, costs);
  if (roundTrip == 0.0)
    return base;
  // x states through the channel: time >= x * roundTrip and time >= base + light * (notKept - x).
  return std::max(base, (base + costs.light * notKept) / (1.0 + costs.light / roundTrip));
}

} // namespace spillway::plan
