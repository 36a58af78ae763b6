#include "plan/Planner.hpp"

#include "plan/Require.hpp"
#include "plan/Simulator.hpp"
#include "plan/TimeModel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace spillway::plan {

namespace {

// Blocks of spikes worth trying, and how many to hold. Larger ones cost slots, smaller ones
// transfers.
struct SpillShape {
  Step block;
  std::uint32_t buffers;
};
constexpr SpillShape kSpillShapes[] = {{16, 4}, {32, 8}, {64, 8}, {128, 8}, {256, 8}};
constexpr double kMargins[] = {1.0, 1.5, 2.0, 3.0};
// Costs per step hardly depend on T beyond this: shapes are compared on shorter chains.
constexpr Step kProbeSteps = 4096;
constexpr Step kMaxSteps = 1u << 30;

class Evaluation {
public:
  Evaluation(Strategy strategy, const PlanRequest& request, const MemoryModel& memory)
      : strategy_(strategy), request_(request), memory_(memory), costs_(request.costs) {
    if (strategy == Strategy::Streamed) {
      const double slower = 1.0 / (1.0 - request.overlapSlowdown);
      costs_.forward *= slower;
      costs_.light *= slower;
      costs_.backward *= slower;
    }
  }

  StrategyPlan run() {
    std::optional<StrategyChoice> choice = onChipHistory(request_.numSteps);
    StrategyPlan plan;
    if (!choice && request_.spillSpikes) {
      choice = spilledHistory();
      plan.spillHelps = choice.has_value();
    }
    plan.fits = choice.has_value();
    if (!choice)
      choice = leanest();
    plan.choice = *choice;
    const Schedule schedule = make(plan.choice, request_.numSteps);
    plan.counts = simulate(schedule);
    plan.numActions = schedule.actions.size();
    plan.time = timeOf(schedule, costsFor(plan.choice));
    plan.demand = demandOf(schedule);
    plan.memory = memory_.use(plan.demand);
    const std::uint64_t slots =
        std::max<std::uint64_t>(plan.counts.slotsUsed, slotsLeft(plan.choice, request_.numSteps));
    const auto bounded =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, request_.numSteps));
    plan.lowerBound = lowerBound(bounded);
    plan.smallestBudget = smallestBudget();
    plan.largestSteps = largestSteps();
    return plan;
  }

private:
  double lowerBound(std::uint32_t numSlots) const {
    if (strategy_ == Strategy::Cached) // needs no states at all
      numSlots = request_.numSteps;
    return strategy_ == Strategy::Streamed
               ? overlappedLowerBound(request_.numSteps, numSlots, request_.costs)
               : synchronousLowerBound(request_.numSteps, numSlots, request_.costs);
  }

  std::uint64_t numStaging() const { return strategy_ == Strategy::Streamed ? 1 : 0; }

  MemoryDemand demandFor(const StrategyChoice& choice, Step numSteps) const {
    MemoryDemand demand;
    demand.numStaging = numStaging();
    demand.surrogateCache = strategy_ == Strategy::Cached;
    demand.numSpikeSteps = choice.spikeBlock == 0 ? numSteps
                                                  : std::uint64_t{choice.numSpikeBuffers} *
                                                        (std::uint64_t{choice.spikeBlock} + 1);
    return demand;
  }

  std::uint64_t slotsLeft(const StrategyChoice& choice, Step numSteps) const {
    return memory_.mostSlots(demandFor(choice, numSteps), request_.budgetBytes, request_.limit);
  }

  std::optional<StrategyChoice> onChipHistory(Step numSteps) const {
    return fastestParameters(strategy_, numSteps, slotsLeft({}, numSteps), costs_, request_.fixed,
                             request_.remoteRows);
  }

  // The best shape of blocks, tried on a chain of at most kProbeSteps.
  std::optional<StrategyChoice> spilledHistory() const {
    const Step probe = std::min(request_.numSteps, kProbeSteps);
    std::optional<StrategyChoice> best;
    double bestTime = std::numeric_limits<double>::infinity();
    for (const SpillShape& shape : kSpillShapes) {
      StrategyChoice spill;
      spill.spikeBlock = shape.block;
      spill.numSpikeBuffers = shape.buffers;
      const std::uint64_t slots = slotsLeft(spill, request_.numSteps);
      if (slots < fewestSlots(strategy_, request_.numSteps, request_.fixed))
        continue;
      // Parameters for the probe's length compare shapes; those for the whole length are used.
      std::optional<StrategyChoice> tried = fastest(probe, slots, spill);
      const std::optional<StrategyChoice> real = fastest(request_.numSteps, slots, spill);
      if (!tried || !real)
        continue;
      for (double margin : kMargins) {
        if (margin > 1.0 && strategy_ != Strategy::Streamed)
          break;
        tried->transferMargin = margin;
        const double time = timeOf(make(*tried, probe), costsFor(*tried)).total;
        if (time < bestTime) {
          bestTime = time;
          best = real;
          best->transferMargin = margin;
        }
      }
    }
    return best;
  }

  std::optional<StrategyChoice> fastest(Step numSteps, std::uint64_t slots,
                                        const StrategyChoice& spill) const {
    std::optional<StrategyChoice> choice =
        fastestParameters(strategy_, numSteps, slots, costs_, request_.fixed, request_.remoteRows);
    if (choice) {
      choice->spikeBlock = spill.spikeBlock;
      choice->numSpikeBuffers = spill.numSpikeBuffers;
    }
    return choice;
  }

  StrategyChoice leanest() const {
    StrategyChoice choice = leanestParameters(strategy_, request_.numSteps, request_.fixed);
    if (request_.spillSpikes) {
      choice.spikeBlock = kSpillShapes[0].block;
      choice.numSpikeBuffers = kSpillShapes[0].buffers;
    }
    return choice;
  }

  std::uint64_t smallestBudget() const {
    const StrategyChoice choice = leanest();
    MemoryDemand demand = demandFor(choice, request_.numSteps);
    demand.numSpikeSteps = std::min<std::uint64_t>(demand.numSpikeSteps, request_.numSteps);
    demand.numSlots = fewestSlots(strategy_, request_.numSteps, request_.fixed);
    return memory_.bytesAgainst(demand, request_.limit);
  }

  bool possible(Step numSteps) const {
    const StrategyChoice shape = request_.spillSpikes ? leanestSpill() : StrategyChoice{};
    const std::uint64_t slots = slotsLeft(shape, numSteps);
    if (slots == 0)
      return false;
    return fewestSlots(strategy_, numSteps, request_.fixed) <= slots;
  }

  static StrategyChoice leanestSpill() {
    StrategyChoice choice;
    choice.spikeBlock = kSpillShapes[0].block;
    choice.numSpikeBuffers = kSpillShapes[0].buffers;
    return choice;
  }

  std::optional<Step> largestSteps() const {
    if (possible(kMaxSteps))
      return std::nullopt;
    Step low = 0, high = kMaxSteps;
    while (high - low > 1) {
      const Step middle = low + (high - low) / 2;
      (possible(middle) ? low : high) = middle;
    }
    return low;
  }

  Costs costsFor(const StrategyChoice& choice) const {
    Costs costs = costs_;
    costs.spikeWrite = costs.spikeRead =
        request_.spikeLatency +
        (choice.spikeBlock + 1.0) *
            (request_.spikePerStep + (strategy_ == Strategy::Cached ? request_.cachePerStep : 0.0));
    return costs;
  }

  Schedule make(const StrategyChoice& choice, Step numSteps) const {
    return makeSchedule(choice, numSteps, costs_, request_.remoteRows);
  }

  Strategy strategy_;
  const PlanRequest& request_;
  const MemoryModel& memory_;
  Costs costs_;
};

std::string percent(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100.0 * (ratio - 1.0));
  return text;
}

std::string reasonFor(const Plan& plan, const PlanRequest& request) {
  const char* where = request.limit == MemoryModel::Limit::PerTile ? " bytes per tile" : " bytes";
  if (!plan.chosen)
    return "nothing fits " + std::to_string(request.budgetBytes) + where +
           ": the smallest budget for " + std::to_string(request.numSteps) + " steps is " +
           std::to_string(plan.smallestBudget) +
           (plan.largestSteps
                ? ", the largest number of steps for this one " + std::to_string(*plan.largestSteps)
                : std::string());
  const StrategyPlan& best = plan.table[*plan.chosen];
  const auto numFit = std::count_if(plan.table.begin(), plan.table.end(),
                                    [](const StrategyPlan& row) { return row.fits; });
  const double base = request.numSteps * (request.costs.forward + request.costs.backward);
  return describe(best.choice) + ": the fastest of " + std::to_string(numFit) +
         " strategies that fit, " + percent(best.time.total / base) +
         " over storing every state, " + percent(best.time.total / best.lowerBound) +
         " over the lower bound for its memory";
}

} // namespace

MemoryDemand demandOf(const Schedule& schedule) {
  MemoryDemand demand;
  demand.numSlots = schedule.numSlots;
  demand.numStaging = schedule.numStaging;
  demand.surrogateCache = schedule.cachesSurrogate;
  demand.numSpikeSteps = schedule.spikeBlock == 0 ? schedule.numSteps
                                                  : std::uint64_t{schedule.numSpikeBuffers} *
                                                        (std::uint64_t{schedule.spikeBlock} + 1);
  return demand;
}

StrategyPlan planStrategy(Strategy strategy, const PlanRequest& request,
                          const MemoryModel& memory) {
  requireAtLeastOne("T", request.numSteps);
  return Evaluation(strategy, request, memory).run();
}

Plan planAll(const PlanRequest& request, const MemoryModel& memory) {
  Plan plan;
  plan.smallestBudget = std::numeric_limits<std::uint64_t>::max();
  plan.largestSteps = 0;
  for (Strategy strategy : kAllStrategies) {
    if ((strategy == Strategy::Streamed && !request.overlap) ||
        (strategy == Strategy::Cached && !request.surrogateCache))
      continue;
    plan.table.push_back(planStrategy(strategy, request, memory));
    const StrategyPlan& row = plan.table.back();
    plan.smallestBudget = std::min(plan.smallestBudget, row.smallestBudget);
    if (!row.largestSteps)
      plan.largestSteps = std::nullopt;
    else if (plan.largestSteps)
      plan.largestSteps = std::max(*plan.largestSteps, *row.largestSteps);
    const auto better = [&](const StrategyPlan& other) {
      return row.time.total < other.time.total ||
             (row.time.total == other.time.total &&
              row.memory.largest.total() < other.memory.largest.total());
    };
    if (row.fits && (!plan.chosen || better(plan.table[*plan.chosen])))
      plan.chosen = plan.table.size() - 1;
  }
  plan.reason = reasonFor(plan, request);
  return plan;
}

Schedule scheduleOf(const StrategyPlan& plan, const PlanRequest& request) {
  PlanRequest same = request;
  if (plan.choice.strategy == Strategy::Streamed) {
    const double slower = 1.0 / (1.0 - request.overlapSlowdown);
    same.costs.forward *= slower;
    same.costs.light *= slower;
    same.costs.backward *= slower;
  }
  return makeSchedule(plan.choice, request.numSteps, same.costs, request.remoteRows);
}

bool surrogateCacheIsExact(const NetworkSpec& network) {
  return std::all_of(network.layers.begin(), network.layers.end(),
                     [](const LayerSpec& layer) { return layer.neuron == NeuronKind::Lif; });
}

} // namespace spillway::plan
