#include "plan/ClosedForms.hpp"
#include "plan/ParameterGrid.hpp"
#include "plan/Strategy.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace spillway::plan {

namespace {

// The one that is given, or those worth trying.
std::vector<Step> given(Step fixed, std::vector<Step> others) {
  return fixed != 0 ? std::vector<Step>{fixed} : std::move(others);
}

double timeOfCounts(const ScheduleCounts& counts, const Costs& costs) {
  const auto real = [](std::uint64_t n) { return static_cast<double>(n); };
  return real(counts.lightSteps) * costs.light + real(counts.remoteWrites) * costs.writePerState +
         real(counts.remoteWriteOps) * costs.writeLatency +
         real(counts.remoteReads) * costs.readPerState +
         real(counts.remoteReadOps) * costs.readLatency;
}

struct Candidate {
  StrategyChoice choice;
  ScheduleCounts counts;
};

std::uint64_t ceilDiv(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

// At most so many actions: a chunk is one run and, when it is reversed, another with its backward
// range.
std::uint64_t mostActions(const Candidate& candidate, Step T, Step spikeBlock) {
  const auto chunked = [](std::uint64_t length, std::uint64_t chunk) {
    return chunk <= 1 || chunk >= length ? std::uint64_t{2} : 3 * ceilDiv(length, chunk);
  };
  const StrategyChoice& choice = candidate.choice;
  const ScheduleCounts& counts = candidate.counts;
  std::uint64_t actions = 2 + counts.remoteWriteOps + counts.remoteReadOps;
  if (choice.strategy == Strategy::Double) {
    const std::uint64_t length = std::min(choice.remoteChunk, T);
    actions +=
        ceilDiv(T, length) * (1 + chunked(length, std::min<std::uint64_t>(choice.chunk, length)));
  } else if (choice.strategy == Strategy::Hierarchical && choice.chunk == 1) {
    actions += 4 * ceilDiv(T, choice.numLocal); // a batch's states are one range
  } else if (choice.strategy != Strategy::Base) {
    actions += choice.strategy == Strategy::Standard ? chunked(T, choice.chunk)
                                                     : 3 * ceilDiv(T, choice.chunk);
  }
  if (spikeBlock != 0) // two cuts a block, its write and its read; and the cuts of light runs
    actions += 4 * ceilDiv(T, spikeBlock) + counts.lightSteps / spikeBlock;
  return actions;
}

bool isWithin(const ScheduleBudget& budget, const Candidate& candidate) {
  const ScheduleCounts& counts = candidate.counts;
  const std::uint64_t further =
      counts.remoteWriteOps > 0 ? counts.remoteWrites / counts.remoteWriteOps - 1 : 0;
  // A staged state has its code for packets besides: about a twelfth of it.
  const std::uint64_t staged = budget.stagesBatches ? further + ceilDiv(further, 8) : 0;
  return counts.slotsUsed + staged + budget.hostCopies * further <= budget.maxSlots &&
         (!budget.remoteRows || counts.remoteWrites <= *budget.remoteRows);
}

ScheduleCounts countsOf(const StrategyChoice& choice, Step T) {
  switch (choice.strategy) {
  case Strategy::Base:
    return baseCounts(T);
  case Strategy::Standard:
    return standardCounts(T, choice.chunk, choice.form);
  case Strategy::Remote:
    return remoteCounts(T, choice.chunk, choice.form);
  case Strategy::Hierarchical:
    return hierarchicalCounts(T, choice.chunk, choice.numLocal, choice.form);
  case Strategy::Double:
    return doubleCounts(T, choice.remoteChunk, choice.chunk, choice.form);
  case Strategy::Revolve:
  case Strategy::Optimal:
  case Strategy::Streamed:
  case Strategy::Cached:
    break;
  }
  ScheduleCounts counts; // no closed form, but for the slots
  counts.slotsUsed = std::max(1u, choice.numSlots);
  return counts;
}

// Calls visit(candidate) for every parameter setting of one of the paper's strategies.
template <class Visit>
void forEachSetting(Strategy strategy, const ParameterLimits& limits, const StrategyChoice& fixed,
                    Visit visit) {
  const Step T = limits.numSteps;
  StrategyChoice choice;
  choice.strategy = strategy;
  choice.form = fixed.form;
  const auto tryIt = [&] { visit(Candidate{choice, countsOf(choice, T)}); };
  if (strategy == Strategy::Base)
    return tryIt();
  if (strategy == Strategy::Double) {
    const std::vector<Step> segments = given(fixed.remoteChunk, segmentsOf(limits));
    Step shorter = 0; // the chunk before
    for (Step chunk : given(fixed.chunk, innerChunksOf(limits))) {
      const auto tryAll = [&](const std::vector<Step>& some) {
        for (Step remoteChunk : some) {
          if (fixed.chunk == 0 && shorter >= remoteChunk)
            continue; // one chunk is the whole segment already
          choice.remoteChunk = remoteChunk;
          choice.chunk = fixed.chunk != 0 ? fixed.chunk : std::min(chunk, remoteChunk);
          tryIt();
        }
      };
      tryAll(segments);
      if (fixed.remoteChunk == 0)
        tryAll(fillingSegmentsOf(limits, chunk));
      shorter = chunk;
    }
    return;
  }
  for (Step chunk : given(fixed.chunk, chunksOf(limits))) {
    choice.chunk = chunk;
    if (strategy != Strategy::Hierarchical) {
      tryIt();
      continue;
    }
    for (Step numLocal : given(fixed.numLocal, batchesOf(limits, (T - 1) / chunk))) {
      choice.numLocal = numLocal;
      tryIt();
    }
  }
}

bool takesSlots(Strategy strategy) {
  return strategy >= Strategy::Revolve;
}

StrategyChoice withSlots(Strategy strategy, Step T, std::uint64_t slots,
                         const StrategyChoice& fixed) {
  StrategyChoice choice;
  choice.strategy = strategy;
  if (strategy == Strategy::Cached)
    return choice;
  choice.numSlots = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(fixed.numSlots != 0 ? fixed.numSlots : slots, T));
  return choice;
}

} // namespace

std::vector<TimedChoice> fastestChoices(Strategy strategy, Step numSteps,
                                        const ScheduleBudget& budget, const Costs& costs,
                                        const StrategyChoice& fixed, std::size_t most) {
  struct Timed {
    TimedChoice choice;
    std::uint64_t slots;
    bool operator<(const Timed& other) const {
      return std::tie(choice.time, slots) < std::tie(other.choice.time, other.slots);
    }
  };
  std::vector<Timed> found;
  const ParameterLimits limits{numSteps, budget.maxSlots, budget.remoteRows, fixed.form};
  // About a third of them go forward and a third backward.
  const double perAction = costs.perAction + (costs.forwardFill + costs.backwardFill) / 3.0;
  forEachSetting(strategy, limits, fixed, [&](const Candidate& candidate) {
    if (!isWithin(budget, candidate))
      return;
    const double actions = static_cast<double>(mostActions(candidate, numSteps, budget.spikeBlock));
    const double least = timeOfCounts(candidate.counts, costs);
    found.push_back(
        {{candidate.choice, least + actions * perAction, least}, candidate.counts.slotsUsed});
  });
  const std::size_t kept = std::min(most, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
  std::vector<TimedChoice> fastest;
  for (std::size_t i = 0; i < kept; ++i)
    fastest.push_back(found[i].choice);
  return fastest;
}

std::optional<StrategyChoice> fastestParameters(Strategy strategy, Step numSteps,
                                                const ScheduleBudget& budget, const Costs& costs,
                                                const StrategyChoice& fixed) {
  if (budget.maxSlots == 0)
    return std::nullopt;
  if (takesSlots(strategy)) {
    const StrategyChoice choice = withSlots(strategy, numSteps, budget.maxSlots, fixed);
    return choice.numSlots <= budget.maxSlots ? std::optional(choice) : std::nullopt;
  }
  const std::vector<TimedChoice> best = fastestChoices(strategy, numSteps, budget, costs, fixed, 1);
  return best.empty() ? std::nullopt : std::optional(best.front().choice);
}

ScheduleBound boundOf(const StrategyChoice& choice, Step numSteps) {
  const Candidate candidate{choice, countsOf(choice, numSteps)};
  const ScheduleCounts& counts = candidate.counts;
  return {counts.slotsUsed,
          counts.remoteWriteOps == 0 ? 0 : counts.remoteWrites / counts.remoteWriteOps,
          counts.remoteWrites, mostActions(candidate, numSteps, choice.spikeBlock)};
}

std::optional<StrategyChoice> leanestParameters(Strategy strategy, Step numSteps,
                                                const StrategyChoice& fixed,
                                                std::optional<std::uint32_t> remoteRows) {
  if (takesSlots(strategy))
    return withSlots(strategy, numSteps, 1, fixed);
  const ParameterLimits limits{numSteps, numSteps, remoteRows, fixed.form};
  std::optional<Candidate> best;
  const auto tryAll = [&](const StrategyChoice& shortest) {
    forEachSetting(strategy, limits, shortest, [&](const Candidate& candidate) {
      const bool isHeld = !remoteRows || candidate.counts.remoteWrites <= *remoteRows;
      if (isHeld && (!best || candidate.counts.slotsUsed < best->counts.slotsUsed))
        best = candidate;
    });
  };
  // With Streaming Memory the shortest stretches need the fewest slots, or with few rows little
  // longer ones, whose last is shorter; on chip there is a best chunk.
  StrategyChoice shortest = fixed;
  if (strategy == Strategy::Double && fixed.remoteChunk == 0 && remoteRows) {
    const std::uint64_t least = std::min<std::uint64_t>(leastRemoteLength(limits), numSteps);
    for (std::uint64_t length = least;
         length <= std::min<std::uint64_t>(2 * least, least + 32) && length <= numSteps; ++length) {
      shortest.remoteChunk = static_cast<Step>(length);
      tryAll(shortest);
    }
  } else {
    if (strategy != Strategy::Standard && !remoteRows)
      for (Step* parameter : {&shortest.chunk, &shortest.remoteChunk, &shortest.numLocal})
        *parameter = std::max<Step>(1, *parameter);
    tryAll(shortest);
  }
  return best ? std::optional(best->choice) : std::nullopt;
}

std::uint64_t fewestSlots(Strategy strategy, Step numSteps, const StrategyChoice& fixed,
                          std::optional<std::uint32_t> remoteRows) {
  const auto choice = leanestParameters(strategy, numSteps, fixed, remoteRows);
  return choice ? countsOf(*choice, numSteps).slotsUsed : kNoSlotsAreEnough;
}

} // namespace spillway::plan
