#include "plan/Planner.hpp"

#include "plan/Optimal.hpp"
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
constexpr SpillShape kSpillShapes[] = {{16, 4},  {32, 8},  {64, 8},   {128, 8},
                                       {256, 8}, {512, 4}, {1024, 4}, {2048, 3}};
constexpr double kMargins[] = {1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 25.0, 50.0};
// Costs per step hardly depend on T beyond this: shapes are compared on shorter chains.
constexpr Step kProbeSteps = 2048, kSpillProbeSteps = 16384;
constexpr Step kMaxSteps = 1u << 30;
// With one slot the steps are T^2 / 2; longer chains are not considered with fewer than four.
constexpr Step kFewSlotsSteps = 256;

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

  StrategyPlan run(PlanDetail detail) {
    StrategyPlan plan;
    Schedule schedule;
    // How long its table gets is known when a schedule is made: if it is too long, fewer slots.
    for (reservedActions_ = 0; !plan.fits;) {
      const std::optional<StrategyChoice> choice = fastestThatFits();
      plan.choice = choice ? *choice : leanestAndBytes().first;
      schedule = make(plan.choice, request_.numSteps);
      plan.demand = demandOf(schedule);
      plan.fits = memory_.fits(plan.demand, request_.budgetBytes, request_.limit) &&
                  schedule.numRows <= request_.remoteRows.value_or(schedule.numRows);
      if (!choice || reservedActions_ == kActionsPerPage)
        break;
      reservedActions_ = kActionsPerPage;
    }
    plan.spillHelps = plan.fits && plan.choice.spikeBlock != 0;
    plan.counts = simulate(schedule);
    plan.numActions = schedule.actions.size();
    plan.time = timeOf(schedule, costsFor(plan.choice));
    plan.memory = memory_.use(plan.demand);
    const std::uint64_t slots = std::max<std::uint64_t>(
        plan.counts.slotsUsed, budgetFor(plan.choice, request_.numSteps).maxSlots);
    plan.lowerBound =
        lowerBound(static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, request_.numSteps)));
    if (strategy_ == Strategy::Optimal) // only few rows can make it otherwise
      plan.isExact =
          !request_.remoteRows ||
          optimal(request_.numSteps, plan.choice.numSlots, costs_, request_.remoteRows).isExact;
    if (detail == PlanDetail::Limits) {
      plan.smallestBudget = leanestAndBytes().second;
      plan.largestSteps = largestSteps();
    }
    return plan;
  }

  // By slots alone: how long the table of actions gets depends on parameters.
  bool possible(Step numSteps) const {
    const StrategyChoice shape = request_.spillSpikes ? leanestSpill() : StrategyChoice{};
    const std::uint64_t slots = budgetFor(shape, numSteps).maxSlots;
    return slots > 0 && fewestSlots(strategy_, numSteps, request_.fixed) <= slots;
  }

private:
  std::optional<StrategyChoice> fastestThatFits() const {
    const std::optional<StrategyChoice> onChip = onChipHistory();
    return onChip || !request_.spillSpikes ? onChip : spilledHistory();
  }

  bool transfers() const {
    return strategy_ == Strategy::Remote || strategy_ == Strategy::Hierarchical ||
           strategy_ == Strategy::Double || strategy_ == Strategy::Optimal ||
           strategy_ == Strategy::Streamed;
  }

  double lowerBound(std::uint32_t numSlots) const {
    if (strategy_ == Strategy::Cached) // needs no states at all
      numSlots = request_.numSteps;
    return strategy_ == Strategy::Streamed
               ? overlappedLowerBound(request_.numSteps, numSlots, request_.costs)
               : synchronousLowerBound(request_.numSteps, numSlots, request_.costs);
  }

  // Of the memory, before slots and actions are known.
  MemoryDemand demandFor(const StrategyChoice& choice, Step numSteps) const {
    MemoryDemand demand;
    demand.numSlots = 0;
    demand.transferStates = transfers() ? 1 : 0;
    demand.overlap = strategy_ == Strategy::Streamed;
    demand.surrogateCache = strategy_ == Strategy::Cached;
    const std::uint64_t rows =
        std::uint64_t{choice.numSpikeBuffers} * (std::uint64_t{choice.spikeBlock} + 1);
    demand.numSpikeSteps = choice.spikeBlock == 0 ? std::uint64_t{numSteps} + 1 : rows;
    demand.numSpikeBuffers = choice.spikeBlock == 0 ? 0 : choice.numSpikeBuffers;
    demand.numSteps = numSteps;
    demand.lightSteps = strategy_ != Strategy::Base && strategy_ != Strategy::Cached;
    demand.numActions = reservedActions_;
    return demand;
  }

  ScheduleBudget budgetFor(const StrategyChoice& choice, Step numSteps) const {
    const MemoryDemand demand = demandFor(choice, numSteps);
    ScheduleBudget budget;
    budget.maxSlots = memory_.mostSlots(demand, request_.budgetBytes, request_.limit);
    budget.remoteRows = request_.remoteRows;
    budget.stagesBatches = memory_.machine().stagesAllTransfers;
    budget.spikeBlock = choice.spikeBlock;
    return budget;
  }

  std::optional<StrategyChoice> onChipHistory() const {
    std::optional<StrategyChoice> choice = fastest(request_.numSteps, {});
    if (choice && strategy_ == Strategy::Streamed)
      choice->transferMargin = bestMargin(*choice, std::min(request_.numSteps, kProbeSteps));
    return choice;
  }

  // The best shape of blocks, tried on a shorter chain that still is many blocks long.
  std::optional<StrategyChoice> spilledHistory() const {
    const Step probe = std::min(request_.numSteps, kSpillProbeSteps);
    std::optional<StrategyChoice> best;
    std::optional<double> margin; // it hardly depends on the shape
    double bestTime = std::numeric_limits<double>::infinity();
    for (const SpillShape& shape : kSpillShapes) {
      StrategyChoice spill;
      spill.spikeBlock = shape.block;
      spill.numSpikeBuffers = shape.buffers;
      // Parameters for the probe's length compare shapes; those for the whole length are used.
      std::optional<StrategyChoice> tried = fastest(probe, spill);
      const std::optional<StrategyChoice> real = fastest(request_.numSteps, spill);
      if (!tried || !real)
        continue;
      if (!margin)
        margin = bestMargin(*tried, std::min(probe, kProbeSteps));
      tried->transferMargin = *margin;
      const double time = timeOf(make(*tried, probe), costsFor(*tried)).total;
      if (time < bestTime) {
        bestTime = time;
        best = real;
        best->transferMargin = *margin;
      }
    }
    return best;
  }

  // Overlapped schedules may be faster with longer gaps: fewer actions, and room for spikes.
  double bestMargin(StrategyChoice choice, Step numSteps) const {
    double best = 1.0, bestTime = std::numeric_limits<double>::infinity();
    for (double margin : kMargins) {
      if (strategy_ != Strategy::Streamed)
        break;
      choice.transferMargin = margin;
      const double time = timeOf(make(choice, numSteps), costsFor(choice)).total;
      if (time > bestTime)
        break;
      best = margin;
      bestTime = time;
    }
    return best;
  }

  std::optional<StrategyChoice> fastest(Step numSteps, const StrategyChoice& spill) const {
    const ScheduleBudget budget = budgetFor(spill, request_.numSteps);
    std::optional<StrategyChoice> choice =
        fastestParameters(strategy_, numSteps, budget, costs_, request_.fixed);
    if (choice) {
      choice->spikeBlock = spill.spikeBlock;
      choice->numSpikeBuffers = spill.numSpikeBuffers;
    }
    return choice;
  }

  // The choice that takes the fewest bytes. Fewer slots mean more actions, whose table takes bytes
  // too: the best is somewhere between.
  const std::pair<StrategyChoice, std::uint64_t>& leanestAndBytes() {
    if (!leanest_)
      leanest_ = findLeanest();
    return *leanest_;
  }

  std::pair<StrategyChoice, std::uint64_t> findLeanest() const {
    std::pair<StrategyChoice, std::uint64_t> best{{}, std::numeric_limits<std::uint64_t>::max()};
    for (StrategyChoice choice : leanCandidates()) {
      choice.strategy = strategy_;
      choice.form = request_.fixed.form;
      if (request_.spillSpikes) {
        choice.spikeBlock = leanestSpill().spikeBlock;
        choice.numSpikeBuffers = leanestSpill().numSpikeBuffers;
      }
      const std::uint64_t bytes = memory_.bytesAgainst(demandOfChoice(choice), request_.limit);
      if (bytes < best.second)
        best = {choice, bytes};
    }
    return best;
  }

  MemoryDemand demandOfChoice(const StrategyChoice& choice) const {
    if (strategy_ >= Strategy::Revolve)
      return demandOf(make(choice, request_.numSteps));
    MemoryDemand demand = demandFor(choice, request_.numSteps);
    const ScheduleBound bound = boundOf(choice, request_.numSteps);
    demand.numSlots = bound.slots;
    demand.transferStates = bound.transferStates;
    demand.numActions = bound.actions;
    return demand;
  }

  std::vector<StrategyChoice> leanCandidates() const {
    const Step T = request_.numSteps;
    const StrategyChoice& fixed = request_.fixed;
    const auto powers = [&](Step given, Step limit) {
      std::vector<Step> values{std::max<Step>(1, given)};
      for (Step value = 2; given == 0 && value <= limit; value *= 2)
        values.push_back(value);
      return values;
    };
    std::vector<StrategyChoice> candidates;
    StrategyChoice choice = leanestParameters(strategy_, T, fixed);
    const bool takesSlots = strategy_ >= Strategy::Revolve && strategy_ != Strategy::Cached;
    if (!takesSlots || T <= kFewSlotsSteps)
      candidates.push_back(choice);
    if (strategy_ == Strategy::Double || strategy_ == Strategy::Remote ||
        strategy_ == Strategy::Hierarchical) {
      for (Step remoteChunk : powers(strategy_ == Strategy::Double ? fixed.remoteChunk : 1, T))
        for (Step chunk : powers(fixed.chunk, T)) {
          choice.chunk = chunk;
          if (strategy_ == Strategy::Double)
            choice.remoteChunk = remoteChunk;
          candidates.push_back(choice);
        }
    } else if (takesSlots) {
      // A long chain with few slots has a table of actions that no tile holds.
      for (Step slots = T <= kProbeSteps ? 4 : 16; slots <= std::min<Step>(T, 64); slots *= 4) {
        choice.numSlots = slots;
        candidates.push_back(choice);
      }
    }
    return candidates;
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
  std::uint64_t reservedActions_ = 0; // of the table, before its length is known
  std::optional<std::pair<StrategyChoice, std::uint64_t>> leanest_;
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

std::string certificateOf(const StrategyPlan& plan) {
  std::string text = nameOf(plan.choice.strategy);
  if (plan.isExact)
    text += *plan.isExact ? " is exact, no schedule in its slots and rows is faster"
                          : " is the best that writes in the first pass only";
  return text + (plan.isExact ? "; " : " is ") + percent(plan.time.total / plan.lowerBound) +
         " over the lower bound";
}

bool mayFit(Strategy strategy, const PlanRequest& request, const MemoryModel& memory) {
  return Evaluation(strategy, request, memory).possible(request.numSteps);
}

StrategyPlan planStrategy(Strategy strategy, const PlanRequest& request, const MemoryModel& memory,
                          PlanDetail detail) {
  requireAtLeastOne("T", request.numSteps);
  if (!(request.overlapSlowdown >= 0.0 && request.overlapSlowdown < 1.0)) // else time runs back
    throw UserError("overlapSlowdown is " + std::to_string(request.overlapSlowdown) +
                    "; it must be at least 0 and below 1");
  return Evaluation(strategy, request, memory).run(detail);
}

Plan planAll(const PlanRequest& request, const MemoryModel& memory, PlanDetail detail) {
  Plan plan;
  plan.smallestBudget = std::numeric_limits<std::uint64_t>::max();
  plan.largestSteps = 0;
  for (Strategy strategy : kAllStrategies) {
    if ((strategy == Strategy::Streamed && !request.overlap) ||
        (strategy == Strategy::Cached && !request.surrogateCache))
      continue;
    plan.table.push_back(planStrategy(strategy, request, memory, detail));
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
  const bool losesAtEveryStep = network.readout.kind == ReadoutKind::LeakyIntegrator &&
                                network.readout.reduction == ReadoutReduction::PerStep;
  // A gate has to know of every spike, and a capped list may have dropped some.
  return !losesAtEveryStep &&
         std::all_of(network.layers.begin(), network.layers.end(), [](const LayerSpec& layer) {
           return !layer.isGated() && !layer.allLearn() &&
                  layer.resetGradient == ResetGradient::Pass;
         });
}

} // namespace spillway::plan
