#include "plan/Evaluation.hpp"

#include "plan/Optimal.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpillShapes.hpp"
#include "plan/TimeModel.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

namespace {

constexpr double kMargins[] = {1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 25.0, 50.0};
constexpr Step kMaxSteps = 1u << 30;
constexpr double kCloseToBase = 0.001; // of the time

} // namespace

Evaluation::Evaluation(Strategy strategy, const PlanRequest& request, const MemoryModel& memory)
    : strategy_(strategy),
      request_(request),
      plain_(memory),
      memory_(strategy == Strategy::Streamed && request.beside ? *request.beside->memory : memory),
      costs_(costsOf(strategy, request)) {}

StrategyPlan Evaluation::run(PlanDetail detail) {
  StrategyPlan plan;
  Schedule schedule;
  // How long its table gets is known when a schedule is made: if it is too long, fewer slots.
  for (reservedActions_ = 0; !plan.fits;) {
    const std::optional<StrategyChoice> choice = fastestThatFits();
    plan.choice = choice ? *choice : leanestAndBytes().first;
    schedule = make(plan.choice, request_.numSteps);
    plan.demand = demandOf(schedule);
    plan.fits = memoryOf(schedule).fits(plan.demand, request_.budgetBytes, request_.limit) &&
                schedule.numRows <= request_.remoteRows.value_or(schedule.numRows);
    if (!choice || reservedActions_ == kActionsPerPage)
      break;
    reservedActions_ = kActionsPerPage;
  }
  plan.spillHelps = plan.fits && plan.choice.spikeBlock != 0;
  plan.counts = simulate(schedule);
  plan.numActions = schedule.actions.size();
  plan.time = timeFor(plan.choice, schedule);
  plan.memory = memoryOf(schedule).use(plan.demand);
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

bool Evaluation::possible(Step numSteps) const {
  const StrategyChoice shape = request_.spillSpikes ? leanestSpill() : StrategyChoice{};
  const std::uint64_t slots = budgetFor(shape, numSteps).maxSlots;
  return slots > 0 && fewestSlots(strategy_, numSteps, request_.fixed) <= slots;
}

std::optional<StrategyChoice> Evaluation::fastestThatFits() const {
  const std::optional<StrategyChoice> onChip = onChipHistory();
  if (!request_.spillSpikes)
    return onChip;
  const auto timeOfChoice = [&](const StrategyChoice& choice) {
    return timeFor(choice, make(choice, request_.numSteps)).total;
  };
  const double onChipTime =
      onChip ? timeOfChoice(*onChip) : std::numeric_limits<double>::infinity();
  // Spikes that leave make room for states; there is no need where no state has to be made again.
  if (onChipTime <= (1.0 + kCloseToBase) * request_.numSteps * (costs_.forward + costs_.backward))
    return onChip;
  const std::optional<StrategyChoice> spilled = spilledHistory();
  return spilled && timeOfChoice(*spilled) < onChipTime ? spilled : onChip;
}

bool Evaluation::transfers() const {
  return strategy_ == Strategy::Remote || strategy_ == Strategy::Hierarchical ||
         strategy_ == Strategy::Double || strategy_ == Strategy::Optimal ||
         strategy_ == Strategy::Streamed;
}

double Evaluation::lowerBound(std::uint32_t numSlots) const {
  if (strategy_ == Strategy::Cached) // needs no states at all
    numSlots = request_.numSteps;
  if (strategy_ == Strategy::Streamed) // without transfers it runs on the plain machine
    return std::min(overlappedLowerBound(request_.numSteps, numSlots, costs_),
                    overlappedLowerBound(request_.numSteps, numSlots, request_.costs));
  Costs costs = request_.costs;
  if (strategy_ == Strategy::Hierarchical) { // a batch shares the latency, and fits the slots
    costs.writeLatency /= numSlots;
    costs.readLatency /= numSlots;
  }
  return synchronousLowerBound(request_.numSteps, numSlots, costs);
}

MemoryDemand Evaluation::demandFor(const StrategyChoice& choice, Step numSteps) const {
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

ScheduleBudget Evaluation::budgetFor(const StrategyChoice& choice, Step numSteps) const {
  const MemoryDemand demand = demandFor(choice, numSteps);
  ScheduleBudget budget;
  budget.maxSlots = memory_.mostSlots(demand, request_.budgetBytes, request_.limit);
  budget.remoteRows = request_.remoteRows;
  budget.stagesBatches = memory_.machine().stagesAllTransfers;
  budget.spikeBlock = choice.spikeBlock;
  return budget;
}

std::optional<StrategyChoice> Evaluation::onChipHistory() const {
  std::optional<StrategyChoice> choice = fastest(request_.numSteps, {});
  if (choice && strategy_ == Strategy::Streamed)
    choice->transferMargin = bestMargin(*choice, std::min(request_.numSteps, kProbeSteps));
  return choice;
}

std::optional<StrategyChoice> Evaluation::spilledHistory() const {
  const bool isSearched = strategy_ >= Strategy::Revolve && strategy_ != Strategy::Cached;
  const Step probe = isSearched ? std::min(request_.numSteps, kSpillProbeSteps) : request_.numSteps;
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
    const double time = timeFor(*tried, make(*tried, probe)).total;
    if (time < bestTime) {
      bestTime = time;
      best = real;
      best->transferMargin = *margin;
    }
  }
  return best;
}

double Evaluation::bestMargin(StrategyChoice choice, Step numSteps) const {
  double best = 1.0, bestTime = std::numeric_limits<double>::infinity();
  for (double margin : kMargins) {
    if (strategy_ != Strategy::Streamed)
      break;
    choice.transferMargin = margin;
    const double time = timeFor(choice, make(choice, numSteps)).total;
    if (time > bestTime)
      break;
    best = margin;
    bestTime = time;
  }
  return best;
}

std::optional<StrategyChoice> Evaluation::fastest(Step numSteps,
                                                  const StrategyChoice& spill) const {
  const ScheduleBudget budget = budgetFor(spill, request_.numSteps);
  std::optional<StrategyChoice> choice =
      fastestParameters(strategy_, numSteps, budget, costs_, request_.fixed);
  if (choice) {
    choice->spikeBlock = spill.spikeBlock;
    choice->numSpikeBuffers = spill.numSpikeBuffers;
  }
  return choice;
}

const std::pair<StrategyChoice, std::uint64_t>& Evaluation::leanestAndBytes() {
  if (leanest_)
    return *leanest_;
  std::pair<StrategyChoice, std::uint64_t> best{{}, std::numeric_limits<std::uint64_t>::max()};
  for (StrategyChoice choice : leanCandidates(strategy_, request_.numSteps, request_.fixed)) {
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
  return leanest_.emplace(best);
}

MemoryDemand Evaluation::demandOfChoice(const StrategyChoice& choice) const {
  if (strategy_ >= Strategy::Revolve)
    return demandOf(make(choice, request_.numSteps));
  MemoryDemand demand = demandFor(choice, request_.numSteps);
  const ScheduleBound bound = boundOf(choice, request_.numSteps);
  demand.numSlots = bound.slots;
  demand.transferStates = bound.transferStates;
  demand.numActions = bound.actions;
  return demand;
}

std::optional<Step> Evaluation::largestSteps() const {
  if (possible(kMaxSteps))
    return std::nullopt;
  Step low = 0, high = kMaxSteps;
  while (high - low > 1) {
    const Step middle = low + (high - low) / 2;
    (possible(middle) ? low : high) = middle;
  }
  return low;
}

TimeSplit Evaluation::timeFor(const StrategyChoice& choice, const Schedule& schedule) const {
  Costs costs = schedule.numStaging != 0 ? costs_ : request_.costs;
  const bool cached = strategy_ == Strategy::Cached;
  costs.forward += cached ? request_.cacheForward : 0.0;
  costs.backward += cached ? request_.cacheBackward : 0.0;
  const double rows = choice.spikeBlock + 1.0;
  costs.spikeWrite = costs.spikeRead =
      request_.spikeLatency +
      rows * (request_.spikePerStep + (cached ? request_.cachePerStep : 0.0));
  const double bytes = rows * static_cast<double>(plain_.spilledBytesPerStep() +
                                                  (cached ? plain_.cacheBytesPerStep() : 0));
  if (request_.hostCache && bytes > static_cast<double>(request_.hostCache->bytes)) {
    costs.spikeWrite += bytes * request_.hostCache->missPerByte;
    costs.spikeRead += bytes * request_.hostCache->missPerByte;
  }
  return timeOf(schedule, costs);
}

Schedule Evaluation::make(const StrategyChoice& choice, Step numSteps) const {
  return makeSchedule(choice, numSteps, costs_, request_.remoteRows);
}

} // namespace spillway::plan
