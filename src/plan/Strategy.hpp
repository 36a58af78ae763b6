// A strategy with its parameters: all that is needed to make its schedule again.
#pragma once

#include "plan/Costs.hpp"
#include "plan/PaperStrategies.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spillway::plan {

enum class Strategy : std::uint8_t {
  Base,
  Standard,
  Remote,
  Hierarchical,
  Double,
  Revolve,
  Optimal,
  Streamed,
  Cached
};

inline constexpr Strategy kAllStrategies[] = {
    Strategy::Base,         Strategy::Standard, Strategy::Remote,
    Strategy::Hierarchical, Strategy::Double,   Strategy::Revolve,
    Strategy::Optimal,      Strategy::Streamed, Strategy::Cached};

const char* nameOf(Strategy strategy); // "double"

struct StrategyChoice {
  Strategy strategy = Strategy::Base;
  Step chunk = 0;             // Standard, Remote, Hierarchical, Double
  Step remoteChunk = 0;       // Double
  Step numLocal = 0;          // Hierarchical
  std::uint32_t numSlots = 0; // Revolve, Optimal, Streamed: slots to be used
  Form form = Form::Tight;
  // Streamed: gaps are planned for transfers this much slower, which leaves the channel room for
  // spikes.
  double transferMargin = 1.0;
  Step spikeBlock = 0; // 0: the spike history stays on chip
  std::uint32_t numSpikeBuffers = 0;

  friend bool operator==(const StrategyChoice&, const StrategyChoice&) = default;
};

// "double, remote chunk 256, chunk 16", "streamed, 16 slots, spikes in 8 blocks of 64 steps".
std::string describe(const StrategyChoice& choice);

// What the makers of schedules know of the machine's costs and of its Streaming Memory.
Schedule makeSchedule(const StrategyChoice& choice, Step numSteps, const Costs& costs,
                      std::optional<std::uint32_t> remoteCapacity = std::nullopt);

// What a schedule may take.
struct ScheduleBudget {
  std::uint64_t maxSlots = 0;
  std::optional<std::uint32_t> remoteRows; // none: enough
  bool stagesBatches =
      false; // a batch of checkpoints is staged: each but the first costs a slot more
  std::uint32_t hostCopies = 0; // and so many, of states in a host's buffers
  Step spikeBlock = 0;          // ranges are cut at the ends of such blocks
};

// A setting of one of the paper's strategies within a budget, with what it takes about, and at
// least: what actions cost is known when the schedule is made.
struct TimedChoice {
  StrategyChoice choice;
  double time = 0.0, leastTime = 0.0;
};
// The `most` fastest, those first. As below. REQUIRES: not Revolve or any after it.
std::vector<TimedChoice> fastestChoices(Strategy strategy, Step numSteps,
                                        const ScheduleBudget& budget, const Costs& costs,
                                        const StrategyChoice& fixed, std::size_t most);

// The parameters with which the strategy is fastest within the budget; none if it needs more.
// Fields of `fixed` that are not 0 (chunk, remoteChunk, numLocal, numSlots) are kept. Exhaustive up
// to T = 256; beyond, chunks are tried on a grid that is dense where it matters.
std::optional<StrategyChoice> fastestParameters(Strategy strategy, Step numSteps,
                                                const ScheduleBudget& budget, const Costs& costs,
                                                const StrategyChoice& fixed);

// What the schedule of a choice of the paper's strategies takes, without making it: exact but for
// the actions, of which there are at most so many.
struct ScheduleBound {
  std::uint64_t slots = 0, transferStates = 0, rows = 0, actions = 0;
};
ScheduleBound boundOf(const StrategyChoice& choice, Step numSteps);

// The parameters with the fewest slots; none if Streaming Memory needs more rows with any.
std::optional<StrategyChoice> leanestParameters(Strategy strategy, Step numSteps,
                                                const StrategyChoice& fixed,
                                                std::optional<std::uint32_t> remoteRows);
// And how many those are.
inline constexpr std::uint64_t kNoSlotsAreEnough = std::numeric_limits<std::uint64_t>::max();
std::uint64_t fewestSlots(Strategy strategy, Step numSteps, const StrategyChoice& fixed,
                          std::optional<std::uint32_t> remoteRows);

} // namespace spillway::plan
