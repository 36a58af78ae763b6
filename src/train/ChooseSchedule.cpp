#include "train/ChooseSchedule.hpp"

#include "network/SettingError.hpp"
#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace spillway {
namespace {

constexpr plan::Step kRemoteChunk = 256; // the upper end of the paper's best range at T = 4096
constexpr std::uint32_t kLocalCheckpoints = 8;
constexpr std::uint32_t kSpikeBuffers = 4;

// In whole blocks, the nearest to the square root: what is left of a block would cost as much as
// one.
plan::Step squareRoot(plan::Step steps, plan::Step block) {
  return std::max<plan::Step>(
      block,
      static_cast<plan::Step>(std::lround(std::sqrt(steps) / static_cast<double>(block))) * block);
}

plan::Schedule statesOnly(const CheckpointSettings& settings, plan::Step numSteps, plan::Step block,
                          const plan::Costs& costs) {
  const plan::Form form = settings.literal ? plan::Form::Literal : plan::Form::Tight;
  const plan::Step remoteChunk = settings.remoteChunk != 0 ? settings.remoteChunk : kRemoteChunk;
  const plan::Step divided =
      settings.strategy == StrategyKind::Double ? std::min(remoteChunk, numSteps) : numSteps;
  const plan::Step chunk = settings.chunk != 0 ? settings.chunk : squareRoot(divided, block);
  const std::uint32_t slots =
      settings.numLocal != 0 ? settings.numLocal : plan::slotsForRepeats(numSteps, 1);
  switch (settings.strategy) {
  case StrategyKind::Base:
    return plan::base(numSteps);
  case StrategyKind::Standard:
    return plan::standard(numSteps, chunk, form);
  case StrategyKind::Remote:
    return plan::remote(numSteps, chunk, form);
  case StrategyKind::Hierarchical:
    return plan::hierarchical(numSteps, chunk,
                              settings.numLocal != 0 ? settings.numLocal : kLocalCheckpoints, form);
  case StrategyKind::Double:
    return plan::doubleCheckpointing(numSteps, remoteChunk, chunk, form);
  case StrategyKind::Revolve:
    return plan::revolve(numSteps, slots);
  case StrategyKind::Optimal:
    return plan::optimal(numSteps, slots, costs).schedule;
  case StrategyKind::Streamed:
    return plan::streamed(numSteps, slots, costs).schedule;
  case StrategyKind::Cached:
    return plan::surrogateCached(numSteps);
  case StrategyKind::Auto:
    break;
  }
  throw UserError("checkpoint.strategy = auto is chosen by a plan, which this call has not got");
}

} // namespace

plan::Schedule chooseSchedule(const CheckpointSettings& settings, plan::Step numSteps,
                              plan::Step block, const plan::Costs& costs) {
  plan::Schedule schedule = statesOnly(settings, numSteps, block, costs);
  if (settings.spikeBlock == 0) {
    return schedule;
  }
  if (settings.spikeBlock >= numSteps) {
    throw SettingError("checkpoint.spikeBlock",
                       "checkpoint.spikeBlock = " + std::to_string(settings.spikeBlock) +
                           ", but a sequence has " + std::to_string(numSteps) +
                           " steps: a block must be shorter, or the spikes stay (0)");
  }
  return plan::withSpilledSpikes(std::move(schedule), settings.spikeBlock, kSpikeBuffers);
}

} // namespace spillway
