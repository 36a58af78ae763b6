#include "plan/Planner.hpp"

#include "plan/Evaluation.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Require.hpp"
#include "plan/TimeModel.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>

namespace spillway::plan {

namespace {

std::string percent(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100.0 * (ratio - 1.0));
  return text;
}

std::string reasonFor(const Plan& plan, const PlanRequest& request) {
  if (!plan.chosen)
    return "nothing fits " + std::to_string(request.budgetBytes) +
           (request.limit == MemoryModel::Limit::PerTile
                ? " bytes per tile"
                : " bytes, what the budget leaves beside the program and a batch") +
           ": " +
           whatWouldFit(request, plan.smallestBudget, plan.largestSteps, plan.smallestRemote);
  const StrategyPlan& best = plan.table[*plan.chosen];
  const auto numFit = std::count_if(plan.table.begin(), plan.table.end(),
                                    [](const StrategyPlan& row) { return row.fits; });
  const bool storesAll = best.choice.strategy == Strategy::Base && best.choice.spikeBlock == 0;
  return describe(best.choice) + ": the fastest of " + std::to_string(numFit) +
         " strategies that fit, " +
         (storesAll ? "every state is stored"
                    : percent(best.time.total / timeOfBase(request)) +
                          (best.choice.strategy == Strategy::Base
                               ? " over keeping every spike at hand too"
                               : " over storing every state")) +
         ", " + percent(best.time.total / best.lowerBound) + " over the lower bound for its memory";
}

using Strategies = std::span<const Strategy>;

// With every limit where none fits, and without a reason.
Plan planAmong(Strategies strategies, const PlanRequest& request, const MemoryModel& memory,
               PlanDetail detail) {
  Plan plan;
  plan.largestSteps = 0;
  for (Strategy strategy : strategies) {
    plan.table.push_back(planStrategy(strategy, request, memory, detail));
    const StrategyPlan& row = plan.table.back();
    if (row.smallestBudget)
      plan.smallestBudget =
          std::min(plan.smallestBudget.value_or(*row.smallestBudget), *row.smallestBudget);
    if (row.smallestRemote &&
        (!plan.smallestRemote || row.smallestRemote->bytes < plan.smallestRemote->bytes))
      plan.smallestRemote = row.smallestRemote;
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
  if (!plan.chosen && detail == PlanDetail::Lengths)
    return planAmong(strategies, request, memory, PlanDetail::Limits);
  return plan;
}

} // namespace

namespace {

// What a limited Streaming Memory would have to hold. Empty where it is not limited.
std::string remoteThatFits(const PlanRequest& request, const std::optional<RemoteNeed>& smallest) {
  if (!request.remoteRows && !request.remoteBytes)
    return "";
  if (!smallest)
    return "; with this budget no Streaming Memory is large enough";
  return "; with this budget Streaming Memory would have to hold " +
         (request.remoteBytes ? std::to_string(smallest->bytes) + " bytes"
                              : std::to_string(smallest->rows) + " states");
}

} // namespace

std::string whatWouldFit(const PlanRequest& request, std::optional<std::uint64_t> smallestBudget,
                         std::optional<Step> largestSteps,
                         const std::optional<RemoteNeed>& smallestRemote) {
  const std::string steps = std::to_string(request.numSteps) + " steps";
  const std::string remote = remoteThatFits(request, smallestRemote);
  if (!smallestBudget)
    return steps + " take more of Streaming Memory than it has" + remote;
  const std::uint64_t bytes =
      request.budgetLeaving ? request.budgetLeaving(*smallestBudget) : *smallestBudget;
  std::string text = "the smallest budget for " + steps + " is " + std::to_string(bytes);
  if (largestSteps)
    text += *largestSteps == 0
                ? ", and this one is too small for a single step"
                : ", the largest number of steps for this one " + std::to_string(*largestSteps);
  return text + remote;
}

PlanRequest withSteps(PlanRequest request, Step numSteps) {
  request.numSteps = numSteps;
  if (request.askedSpikeBlock != 0) {
    const bool isLonger = numSteps > request.askedSpikeBlock;
    request.fixed.spikeBlock = isLonger ? request.askedSpikeBlock : 0;
    request.fixed.numSpikeBuffers = isLonger ? request.askedSpikeBuffers : 0;
    request.spillSpikes = isLonger;
  }
  return request;
}

bool isAllowed(Strategy strategy, const PlanRequest& request) {
  return (strategy != Strategy::Streamed || request.overlap) &&
         (strategy != Strategy::Cached || request.surrogateCache);
}

double timeOfBase(const PlanRequest& request) {
  return timeOf(base(request.numSteps), request.costs).total;
}

std::string certificateOf(const StrategyPlan& plan) {
  std::string text = nameOf(plan.choice.strategy);
  if (plan.isExact)
    text += *plan.isExact ? " is exact, no schedule in its slots and rows that transfers one state "
                            "at a time is faster"
                          : " is not proven to be exact, its rows being few";
  return text + (plan.isExact ? "; " : " is ") + percent(plan.time.total / plan.lowerBound) +
         " over the lower bound";
}

bool mayFit(Strategy strategy, const PlanRequest& request, const MemoryModel& memory) {
  return Evaluation(strategy, request, memory).possible(request.numSteps);
}

StrategyPlan planStrategy(Strategy strategy, const PlanRequest& request, const MemoryModel& memory,
                          PlanDetail detail) {
  requireAtLeastOne("T", request.numSteps);
  return Evaluation(strategy, request, memory).run(detail);
}

Plan planAll(const PlanRequest& request, const MemoryModel& memory, PlanDetail detail) {
  std::vector<Strategy> allowed;
  std::copy_if(std::begin(kAllStrategies), std::end(kAllStrategies), std::back_inserter(allowed),
               [&](Strategy strategy) { return isAllowed(strategy, request); });
  Plan plan = planAmong(allowed, request, memory, detail);
  plan.reason = reasonFor(plan, request);
  return plan;
}

Plan planOnly(Strategy strategy, const PlanRequest& request, const MemoryModel& memory,
              PlanDetail detail) {
  Plan plan = planAmong({&strategy, 1}, request, memory, detail);
  plan.reason = "the only strategy asked for";
  if (!plan.chosen)
    plan.reason += " does not fit: " + whatWouldFit(request, plan.smallestBudget, plan.largestSteps,
                                                    plan.smallestRemote);
  return plan;
}

Schedule scheduleOf(const StrategyPlan& plan, const PlanRequest& request) {
  return makeSchedule(plan.choice, request.numSteps, costsOf(plan.choice.strategy, request),
                      plan.rowsOffered);
}

const Costs& costsOf(Strategy strategy, const PlanRequest& request) {
  return strategy == Strategy::Streamed && request.beside ? request.beside->costs : request.costs;
}

const MemoryModel& memoryFor(const Schedule& schedule, const PlanRequest& request,
                             const MemoryModel& memory) {
  return schedule.numStaging != 0 && request.beside ? *request.beside->memory : memory;
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
