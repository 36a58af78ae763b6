#include "plan/ClosedForms.hpp"
#include "plan/Strategy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spillway::plan {

namespace {

constexpr Step kExhaustive = 256;

// All values up to `limit`; for a long range all small ones, then a grid 3 % apart, powers of two
// and the neighbourhood of the square root, where the fewest slots are.
std::vector<Step> grid(Step limit) {
  std::vector<Step> values;
  for (Step value = 1; value <= std::min(limit, kExhaustive); ++value)
    values.push_back(value);
  if (limit > kExhaustive) {
    for (double value = kExhaustive; value < limit; value *= 1.03)
      values.push_back(static_cast<Step>(value));
    for (std::uint64_t value = kExhaustive; value < limit; value *= 2)
      values.push_back(static_cast<Step>(value));
    const auto root = static_cast<Step>(std::sqrt(static_cast<double>(limit)));
    for (Step value = root > 8 ? root - 8 : 1; value <= root + 8; ++value)
      values.push_back(value);
    values.push_back(limit);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return values;
}

std::vector<Step> candidates(Step fixed, Step limit) {
  return fixed != 0 ? std::vector<Step>{fixed} : grid(limit);
}

// Batches of checkpoints worth trying: for each number of batches the least that makes it, and the
// largest.
std::vector<Step> batchSizes(Step fixed, Step numCheckpoints, std::uint64_t maxSlots) {
  if (fixed != 0)
    return {fixed};
  const Step most = static_cast<Step>(std::min<std::uint64_t>(
      std::max<Step>(1, numCheckpoints), std::max<std::uint64_t>(1, maxSlots)));
  std::vector<Step> values{1, most};
  for (Step batches = 1; batches <= 16 && numCheckpoints > 0; ++batches)
    values.push_back(std::min(most, (numCheckpoints + batches - 1) / batches));
  return values;
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
  const std::uint64_t staged = budget.stagesBatches && counts.remoteWriteOps > 0
                                   ? counts.remoteWrites / counts.remoteWriteOps - 1
                                   : 0;
  // A staged state has its code for packets besides: about a twelfth of it.
  return counts.slotsUsed + staged + ceilDiv(staged, 8) <= budget.maxSlots &&
         (!budget.remoteRows || counts.remoteWrites <= *budget.remoteRows);
}

// Calls visit(candidate) for every parameter setting of one of the paper's strategies.
template <class Visit>
void forEachSetting(Strategy strategy, Step T, std::uint64_t maxSlots, const StrategyChoice& fixed,
                    Visit visit) {
  StrategyChoice choice;
  choice.strategy = strategy;
  choice.form = fixed.form;
  const auto chunks =
      strategy == Strategy::Base ? std::vector<Step>{0} : candidates(fixed.chunk, T);
  switch (strategy) {
  case Strategy::Base:
    return visit({choice, baseCounts(T)});
  case Strategy::Standard:
    for (Step chunk : chunks) {
      choice.chunk = chunk;
      visit({choice, standardCounts(T, chunk, choice.form)});
    }
    return;
  case Strategy::Remote:
    for (Step chunk : chunks) {
      choice.chunk = chunk;
      visit({choice, remoteCounts(T, chunk, choice.form)});
    }
    return;
  case Strategy::Hierarchical:
    for (Step chunk : chunks)
      for (Step numLocal : batchSizes(fixed.numLocal, (T - 1) / chunk, maxSlots)) {
        choice.chunk = chunk;
        choice.numLocal = numLocal;
        visit({choice, hierarchicalCounts(T, chunk, numLocal, choice.form)});
      }
    return;
  case Strategy::Double:
    for (Step remoteChunk : candidates(fixed.remoteChunk, T))
      for (Step chunk : candidates(fixed.chunk, std::min<Step>(remoteChunk, T))) {
        // A chunk longer than the slots cannot fit, unless it is cut to what is left.
        if (fixed.chunk == 0 && chunk > maxSlots + 2)
          break;
        choice.remoteChunk = remoteChunk;
        choice.chunk = chunk;
        visit({choice, doubleCounts(T, remoteChunk, chunk, choice.form)});
      }
    return;
  case Strategy::Revolve:
  case Strategy::Optimal:
  case Strategy::Streamed:
  case Strategy::Cached:
    return;
  }
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

bool takesSlots(Strategy strategy) {
  return strategy >= Strategy::Revolve;
}

StrategyChoice withSlots(Strategy strategy, Step T, std::uint64_t slots) {
  StrategyChoice choice;
  choice.strategy = strategy;
  if (strategy == Strategy::Cached)
    return choice;
  choice.numSlots = static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, T));
  return choice;
}

} // namespace

std::optional<StrategyChoice> fastestParameters(Strategy strategy, Step numSteps,
                                                const ScheduleBudget& budget, const Costs& costs,
                                                const StrategyChoice& fixed) {
  if (budget.maxSlots == 0)
    return std::nullopt;
  if (takesSlots(strategy))
    return withSlots(strategy, numSteps, budget.maxSlots);
  std::optional<Candidate> best;
  double bestTime = std::numeric_limits<double>::infinity();
  forEachSetting(strategy, numSteps, budget.maxSlots, fixed, [&](const Candidate& candidate) {
    if (!isWithin(budget, candidate))
      return;
    const double actions = static_cast<double>(mostActions(candidate, numSteps, budget.spikeBlock));
    const double time = timeOfCounts(candidate.counts, costs) + actions * costs.perAction;
    const bool leaner = best && candidate.counts.slotsUsed < best->counts.slotsUsed;
    if (time < bestTime || (time == bestTime && leaner)) {
      best = candidate;
      bestTime = time;
    }
  });
  return best ? std::optional(best->choice) : std::nullopt;
}

ScheduleBound boundOf(const StrategyChoice& choice, Step numSteps) {
  const Candidate candidate{choice, countsOf(choice, numSteps)};
  const ScheduleCounts& counts = candidate.counts;
  return {counts.slotsUsed,
          counts.remoteWriteOps == 0 ? 0 : counts.remoteWrites / counts.remoteWriteOps,
          mostActions(candidate, numSteps, choice.spikeBlock)};
}

StrategyChoice leanestParameters(Strategy strategy, Step numSteps, const StrategyChoice& fixed) {
  if (takesSlots(strategy))
    return withSlots(strategy, numSteps, 1);
  // With Streaming Memory the smallest chunks need the fewest slots; on chip there is a best chunk.
  StrategyChoice smallest = fixed;
  if (strategy != Strategy::Standard)
    for (Step* parameter : {&smallest.chunk, &smallest.remoteChunk, &smallest.numLocal})
      *parameter = std::max<Step>(1, *parameter);
  std::optional<Candidate> best;
  forEachSetting(strategy, numSteps, numSteps, smallest, [&](const Candidate& candidate) {
    if (!best || candidate.counts.slotsUsed < best->counts.slotsUsed)
      best = candidate;
  });
  return best->choice;
}

std::uint64_t fewestSlots(Strategy strategy, Step numSteps, const StrategyChoice& fixed) {
  return countsOf(leanestParameters(strategy, numSteps, fixed), numSteps).slotsUsed;
}

} // namespace spillway::plan
