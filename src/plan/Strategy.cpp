#include "plan/Strategy.hpp"

#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/Streamed.hpp"

namespace spillway::plan {

namespace {

Schedule withStatesOnly(const StrategyChoice& choice, Step numSteps, const Costs& costs,
                        std::optional<std::uint32_t> remoteCapacity) {
  switch (choice.strategy) {
  case Strategy::Base:
    return base(numSteps);
  case Strategy::Standard:
    return standard(numSteps, choice.chunk, choice.form);
  case Strategy::Remote:
    return remote(numSteps, choice.chunk, choice.form);
  case Strategy::Hierarchical:
    return hierarchical(numSteps, choice.chunk, choice.numLocal, choice.form);
  case Strategy::Double:
    return doubleCheckpointing(numSteps, choice.remoteChunk, choice.chunk, choice.form);
  case Strategy::Revolve:
    return revolve(numSteps, choice.numSlots);
  case Strategy::Optimal:
    return optimal(numSteps, choice.numSlots, costs, remoteCapacity).schedule;
  case Strategy::Cached:
    return surrogateCached(numSteps);
  case Strategy::Streamed:
    break;
  }
  Costs slower = costs;
  slower.writePerState *= choice.transferMargin;
  slower.readPerState *= choice.transferMargin;
  return streamed(numSteps, choice.numSlots, slower, remoteCapacity).schedule;
}

} // namespace

const char* nameOf(Strategy strategy) {
  switch (strategy) {
  case Strategy::Base:
    return "base";
  case Strategy::Standard:
    return "standard";
  case Strategy::Remote:
    return "remote";
  case Strategy::Hierarchical:
    return "hierarchical";
  case Strategy::Double:
    return "double";
  case Strategy::Revolve:
    return "revolve";
  case Strategy::Optimal:
    return "optimal";
  case Strategy::Streamed:
    return "streamed";
  case Strategy::Cached:
    break;
  }
  return "cached";
}

std::string describe(const StrategyChoice& choice) {
  std::string text = nameOf(choice.strategy);
  const auto add = [&](const char* what, std::uint64_t value) {
    if (value != 0)
      text += std::string(", ") + what + " " + std::to_string(value);
  };
  add("remote chunk", choice.remoteChunk);
  add("chunk", choice.chunk);
  add("checkpoints per transfer", choice.numLocal);
  if (choice.numSlots != 0)
    text += ", " + std::to_string(choice.numSlots) + " slots";
  if (choice.form == Form::Literal)
    text += ", literal";
  if (choice.spikeBlock != 0)
    text += ", spikes in " + std::to_string(choice.numSpikeBuffers) + " blocks of " +
            std::to_string(choice.spikeBlock) + " steps";
  return text;
}

Schedule makeSchedule(const StrategyChoice& choice, Step numSteps, const Costs& costs,
                      std::optional<std::uint32_t> remoteCapacity) {
  Schedule schedule = withStatesOnly(choice, numSteps, costs, remoteCapacity);
  return choice.spikeBlock == 0
             ? schedule
             : withSpilledSpikes(std::move(schedule), choice.spikeBlock, choice.numSpikeBuffers);
}

} // namespace spillway::plan
