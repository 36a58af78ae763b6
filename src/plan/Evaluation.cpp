#include "plan/Evaluation.hpp"

#include "plan/Binomial.hpp"
#include "plan/Optimal.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpikeSpill.hpp"
#include "plan/SpillShapes.hpp"
#include "plan/TimeModel.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

namespace {

constexpr double kMargins[] = {1.0, 1.5, 2.0, 3.0, 6.0, 12.0, 25.0, 50.0};
constexpr double kCloseToBase = 0.001; // of the time
constexpr int kTriesForTable = 4;

// With few slots the runs grow with T^2, and blocks cut each of them: a list of actions much longer
// than the chain is not made.
std::uint64_t mostPieces(Step numSteps) {
  return 4 * std::uint64_t{numSteps} + 65536;
}

// How many settings of a strategy are made to compare them, and until how many actions.
constexpr std::size_t kMostMade = 256, kActionsMade = 30000;

// What is fixed is made whatever it takes.
bool limitsPieces(Strategy strategy, const PlanRequest& request) {
  return strategy >= Strategy::Revolve && strategy != Strategy::Cached &&
         request.fixed.spikeBlock == 0;
}

StrategyChoice inBlocksOf(const StrategyChoice& spill, StrategyChoice choice) {
  choice.spikeBlock = spill.spikeBlock;
  choice.numSpikeBuffers = spill.numSpikeBuffers;
  return choice;
}

} // namespace

Evaluation::Evaluation(Strategy strategy, const PlanRequest& request, const MemoryModel& memory)
    : strategy_(strategy),
      request_(request),
      plain_(memory),
      memory_(strategy == Strategy::Streamed && request.beside ? *request.beside->memory : memory),
      costs_(costsOf(strategy, request)),
      limitsPieces_(limitsPieces(strategy, request)),
      reservedStates_(mayTransfer() ? 1 : 0) {}

StrategyPlan Evaluation::run(PlanDetail detail) {
  StrategyPlan plan;
  std::optional<Attempt> attempt = fastestThatFits();
  if (!attempt) {
    const StrategyChoice lean =
        leanest() ? leanest()->choice // which may fit, or comes closest
                  : inBlocksOf(request_.fixed, leanestParameters(strategy_, request_.numSteps,
                                                                 request_.fixed, std::nullopt)
                                                   .value());
    attempt = attemptOf(lean);
  }
  const Schedule& schedule = attempt->schedule;
  plan.choice = attempt->choice;
  plan.demand = demandOf(schedule);
  plan.fits = fits(schedule);
  plan.rowsOffered = attempt->rows;
  plan.fitsRemote = fitsRemote(plan.demand, request_, memoryOf(schedule));
  plan.remote = memoryOf(schedule).remote(plan.demand);
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
        !plan.rowsOffered ||
        optimal(request_.numSteps, plan.choice.numSlots, costs_, plan.rowsOffered).isExact;
  if (detail == PlanDetail::Limits && leanest())
    plan.smallestBudget = leanest()->bytes;
  if (detail == PlanDetail::Limits && !plan.fits && (request_.remoteRows || request_.remoteBytes))
    plan.smallestRemote = smallestRemote();
  if (detail != PlanDetail::Times)
    plan.largestSteps = largestSteps(plan.fits);
  return plan;
}

std::optional<Evaluation::Attempt> Evaluation::fastestThatFits() {
  std::optional<Attempt> best = fastestReserving(mayTransfer() ? 1 : 0);
  if (!mayTransfer() || (best && best->schedule.numRows != 0))
    return best;
  std::optional<Attempt> withoutStaging = fastestReserving(0);
  return withoutStaging ? std::move(withoutStaging) : std::move(best);
}

// How long the table gets is known when a schedule is made: if it is too long, fewer slots.
std::optional<Evaluation::Attempt> Evaluation::fastestReserving(std::uint64_t numStates) {
  reservedStates_ = numStates;
  std::uint64_t fewest = 0; // actions of what did not fit
  for (const bool whole : {false, false, true}) {
    reservedActions_ = whole ? std::uint64_t{kActionsPerPage} : fewest;
    remoteActions_ = 0;
    for (int tries = 0; tries < kTriesForTable; ++tries) {
      const std::optional<StrategyChoice> choice = fastestBySlots();
      if (!choice)
        return std::nullopt;
      std::optional<Schedule> schedule = make(*choice, request_.numSteps);
      if (schedule && fits(*schedule))
        return Attempt{*choice, std::move(*schedule), roomFor(*choice, request_.numSteps).rows};
      const std::uint64_t tabled = schedule ? schedule->actions.size() + 2 : 0;
      fewest = std::min<std::uint64_t>(kActionsPerPage, std::max(fewest, tabled));
      if (!request_.remoteBytes || tabled <= remoteActions_)
        break;
      remoteActions_ = tabled;
    }
  }
  return std::nullopt;
}

bool Evaluation::fits(const Schedule& schedule) const {
  return bytesOf(schedule) <= request_.budgetBytes &&
         fitsRemote(demandOf(schedule), request_, memoryOf(schedule));
}

std::optional<StrategyChoice> Evaluation::fastestBySlots() const {
  if (request_.fixed.spikeBlock != 0)
    return spilledHistory();
  const std::optional<StrategyChoice> onChip = onChipHistory();
  if (!request_.spillSpikes)
    return onChip;
  const double onChipTime =
      onChip ? totalTimeOf(*onChip, request_.numSteps) : std::numeric_limits<double>::infinity();
  // Spikes that leave make room for states; there is no need where no state has to be made again.
  if (onChipTime <= (1.0 + kCloseToBase) * request_.numSteps * (costs_.forward + costs_.backward))
    return onChip;
  const std::optional<StrategyChoice> spilled = spilledHistory();
  return spilled && totalTimeOf(*spilled, request_.numSteps) < onChipTime ? spilled : onChip;
}

bool Evaluation::mayTransfer() const {
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
  demand.transferStates = reservedStates_;
  demand.overlap = reservedStates_ != 0 && strategy_ == Strategy::Streamed;
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
  const RemoteRoom room = roomFor(choice, numSteps);
  if (!room.holdsTheRest)
    budget.maxSlots = 0;
  budget.remoteRows = room.rows;
  budget.stagesBatches = memory_.machine().stagesAllTransfers;
  budget.hostCopies = memory_.machine().stagesOnHost ? kHostCopies : 0;
  budget.spikeBlock = choice.spikeBlock;
  return budget;
}

Evaluation::Attempt Evaluation::attemptOf(const StrategyChoice& choice) const {
  return {choice, make(choice, request_.numSteps).value(), roomFor(choice, request_.numSteps).rows};
}

RemoteRoom Evaluation::roomFor(const StrategyChoice& spill, Step numSteps) const {
  MemoryDemand demand = demandFor(spill, numSteps);
  demand.numActions = remoteActions_;
  return plan::roomFor(demand, request_, memory_);
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
  for (const StrategyChoice& spill : spillShapes(request_.fixed)) {
    // Parameters for the probe's length compare shapes; those for the whole length are used.
    std::optional<StrategyChoice> tried = fastest(probe, spill);
    const std::optional<StrategyChoice> real = fastest(request_.numSteps, spill);
    if (!tried || !real)
      continue;
    if (!margin)
      margin = bestMargin(*tried, std::min(probe, kProbeSteps));
    tried->transferMargin = *margin;
    const double time = totalTimeOf(*tried, probe);
    if (time < bestTime || request_.fixed.spikeBlock != 0) {
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
    const double time = totalTimeOf(choice, numSteps);
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
  if (strategy_ < Strategy::Revolve)
    if (const std::optional<StrategyChoice> made = fastestMade(spill, budget))
      return made;
  const std::optional<StrategyChoice> choice =
      fastestParameters(strategy_, numSteps, budget, costs_, request_.fixed);
  return choice ? std::optional(inBlocksOf(spill, *choice)) : std::nullopt;
}

std::optional<StrategyChoice> Evaluation::fastestMade(const StrategyChoice& spill,
                                                      const ScheduleBudget& budget) const {
  std::optional<StrategyChoice> best;
  if (budget.maxSlots == 0)
    return best;
  double bestTime = std::numeric_limits<double>::infinity();
  std::size_t actions = 0;
  for (const TimedChoice& timed :
       fastestChoices(strategy_, request_.numSteps, budget, costs_, request_.fixed, kMostMade)) {
    if (timed.leastTime >= bestTime || actions > kActionsMade)
      continue;
    const StrategyChoice choice = inBlocksOf(spill, timed.choice);
    const Schedule schedule = make(choice, request_.numSteps).value();
    actions += schedule.actions.size();
    const double time = timeFor(choice, schedule).total;
    if (time < bestTime && fits(schedule)) {
      best = choice;
      bestTime = time;
    }
  }
  return best;
}

std::uint64_t Evaluation::bytesOf(const Schedule& schedule) const {
  return memoryOf(schedule).bytesAgainst(demandOf(schedule), request_.limit);
}

double Evaluation::totalTimeOf(const StrategyChoice& choice, Step numSteps) const {
  const std::optional<Schedule> schedule = make(choice, numSteps);
  return schedule ? timeFor(choice, *schedule).total : std::numeric_limits<double>::infinity();
}

TimeSplit Evaluation::timeFor(const StrategyChoice& choice, const Schedule& schedule) const {
  Costs costs = schedule.numStaging != 0 ? costs_ : request_.costs;
  costs.waitsForTransfers = !request_.overlap;
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

std::optional<Schedule> Evaluation::make(const StrategyChoice& choice, Step numSteps) const {
  StrategyChoice ofStates = choice;
  ofStates.spikeBlock = 0;
  const std::optional<std::uint32_t> rows = roomFor(choice, numSteps).rows;
  const bool isLimited = limitsPieces_ && choice.spikeBlock != 0;
  // A row spares no more steps than another slot does, and no piece is longer than a block.
  if (isLimited && rows &&
      binomialSteps(numSteps, std::uint64_t{choice.numSlots} + *rows) / choice.spikeBlock >
          mostPieces(numSteps))
    return std::nullopt;
  Schedule schedule = makeSchedule(ofStates, numSteps, costs_, rows);
  if (choice.spikeBlock == 0)
    return schedule;
  if (isLimited && numPieces(schedule, choice.spikeBlock) > mostPieces(numSteps))
    return std::nullopt;
  return withSpilledSpikes(std::move(schedule), choice.spikeBlock, choice.numSpikeBuffers);
}

} // namespace spillway::plan
