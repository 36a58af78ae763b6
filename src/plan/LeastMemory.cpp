// The fewest bytes that a strategy takes, and the longest chain that fits.
#include "plan/Evaluation.hpp"
#include "plan/LargestThatFits.hpp"
#include "plan/SpillShapes.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr Step kMaxSteps = 1u << 30, kFurther = 16;

// Every backward range lies in slots, and all but the last run are followed by another.
std::uint64_t fewestActions(Step numSteps, std::uint64_t numSlots) {
  return 2 * ((numSteps + numSlots - 1) / numSlots) + 2; // the loss, the end
}

} // namespace

bool Evaluation::possible(Step numSteps) {
  reservedActions_ = remoteActions_ = 0;
  const std::vector<StrategyChoice> shapes = leanShapes(request_.fixed, request_.spillSpikes);
  const auto isPossible = [&](std::uint64_t numStates) {
    reservedStates_ = numStates;
    const bool hasNoRows = numStates == 0 && mayTransfer();
    return std::any_of(shapes.begin(), shapes.end(), [&](const StrategyChoice& shape) {
      const ScheduleBudget budget = budgetFor(shape, numSteps);
      return budget.maxSlots > 0 &&
             fewestSlots(strategy_, numSteps, request_.fixed,
                         hasNoRows ? std::optional(0u) : budget.remoteRows) <= budget.maxSlots;
    });
  };
  // What transfers nothing needs no room for a state in transfer.
  return isPossible(0) || (mayTransfer() && isPossible(1));
}

bool Evaluation::surelyFitsOneSlot() const {
  if (request_.remoteRows || request_.remoteBytes || request_.fixed.numSlots != 0)
    return false;
  const std::vector<StrategyChoice> shapes = leanShapes(request_.fixed, request_.spillSpikes);
  return std::any_of(shapes.begin(), shapes.end(), [&](const StrategyChoice& shape) {
    MemoryDemand most = demandFor(shape, request_.numSteps);
    most.numSlots = 1;
    most.transferStates = mayTransfer() ? 1 : 0;
    most.overlap = strategy_ == Strategy::Streamed;
    most.numActions = kActionsPerPage + 1; // which come page by page: longer ones take no more
    const auto fitsOn = [&](const MemoryModel& memory) {
      return memory.fits(most, request_.budgetBytes, request_.limit);
    };
    return fitsOn(memory_) && fitsOn(plain_);
  });
}

bool Evaluation::fitsAtAll() {
  return (strategy_ >= Strategy::Revolve && surelyFitsOneSlot()) || anythingThatFits();
}

// The leanest first: it takes the fewest schedules to answer.
std::optional<Evaluation::Attempt> Evaluation::anythingThatFits() {
  remoteActions_ = reservedActions_ = 0;
  if (const std::optional<Lean> lean = leanestCandidate())
    if (Attempt attempt = attemptOf(lean->choice); fits(attempt.schedule))
      return attempt;
  return fastestThatFits();
}

MemoryDemand Evaluation::leastDemand(const StrategyChoice& choice) const {
  MemoryDemand least = demandFor(choice, request_.numSteps);
  least.overlap = least.lightSteps = false;
  least.transferStates = least.numActions = 0;
  least.numSlots = std::max(1u, choice.numSlots);
  return least;
}

std::optional<Step> Evaluation::largestSteps(bool requestFits) {
  const Step block = request_.askedSpikeBlock;
  if (request_.numSteps > block)
    return largestNearRequest(requestFits);
  const PlanRequest inBlocks = withSteps(request_, block + 1);
  Evaluation evaluation(strategy_, inBlocks, plain_);
  if (evaluation.fitsAtAll())
    return evaluation.largestNearRequest(true);
  return std::min(block, largestNearRequest(requestFits).value_or(block));
}

std::optional<Step> Evaluation::largestNearRequest(bool requestFits) {
  const auto bySlots = [&](Step numSteps) { return possible(numSteps); };
  const bool isEndless = bySlots(kMaxSteps);
  if (isEndless && requestFits)
    return std::nullopt;
  const auto fits = [&](Step numSteps) {
    const PlanRequest other = withSteps(request_, numSteps);
    return Evaluation(strategy_, other, plain_).fitsAtAll();
  };
  const Step guess = isEndless ? request_.numSteps : largestThatFits(kMaxSteps - 1, bySlots);
  if (guess > kExactLength && !isEndless)
    return guess;
  Step most = largestNear(guess, std::max(guess, kExactLength), fits);
  if (strategy_ >= Strategy::Revolve)
    return most;
  // A longer chain may fit where a shorter one does not: its last chunk may be shorter.
  const auto lookFrom = [&](Step first) {
    for (Step numSteps = first; numSteps < first + kFurther; ++numSteps)
      if (numSteps > most && bySlots(numSteps) && fits(numSteps))
        most = numSteps;
  };
  lookFrom(most + 2);
  if (requestFits)
    lookFrom(request_.numSteps);
  return most;
}

const std::optional<Evaluation::Lean>& Evaluation::leanest() {
  if (leanest_)
    return *leanest_;
  remoteActions_ = 0;
  leanest_ = leanestCandidate();
  if (*leanest_) // which may take less than its bound
    (*leanest_)->bytes = bytesOf(make((*leanest_)->choice, request_.numSteps).value());
  // The search for the fastest may know of something leaner still.
  while (*leanest_ && (*leanest_)->bytes > 0) {
    PlanRequest less = request_;
    less.budgetBytes = (*leanest_)->bytes - 1;
    Evaluation evaluation(strategy_, less, plain_);
    const std::optional<Attempt> attempt = evaluation.fastestThatFits();
    if (!attempt)
      break;
    *leanest_ = Lean{attempt->choice, bytesOf(attempt->schedule)};
  }
  return *leanest_;
}

std::optional<Evaluation::Lean> Evaluation::leanestCandidate() const {
  std::optional<Lean> best;
  for (const StrategyChoice& spill : leanShapes(request_.fixed, request_.spillSpikes)) {
    if (strategy_ >= Strategy::Revolve)
      trySlots(spill, best);
    else
      tryParameters(spill, best);
  }
  return best;
}

// Of the paper's strategies, by closed forms: at most so many actions.
void Evaluation::tryParameters(const StrategyChoice& spill, std::optional<Lean>& best) const {
  const Step T = request_.numSteps;
  const RemoteRoom room = roomFor(spill, T);
  if (!room.holdsTheRest)
    return;
  for (StrategyChoice choice : leanCandidates(strategy_, T, request_.fixed, room.rows)) {
    choice.spikeBlock = spill.spikeBlock;
    choice.numSpikeBuffers = spill.numSpikeBuffers;
    const ScheduleBound bound = boundOf(choice, T);
    MemoryDemand demand = demandFor(choice, T);
    demand.numSlots = bound.slots;
    demand.transferStates = bound.transferStates;
    demand.numActions = bound.actions;
    demand.numRows = bound.rows;
    if (!fitsRemote(demand, request_, memory_))
      continue;
    const std::uint64_t bytes = memory_.bytesAgainst(demand, request_.limit);
    if (!best || bytes < best->bytes)
      best = {choice, bytes};
  }
}

// Of the others by the schedule itself. Fewer slots mean more actions, whose table takes bytes too:
// the best is the fewest, or few more.
void Evaluation::trySlots(const StrategyChoice& spill, std::optional<Lean>& best) const {
  const Step T = request_.numSteps;
  if (!roomFor(spill, T).holdsTheRest)
    return;
  StrategyChoice choice = leanestParameters(strategy_, T, request_.fixed, std::nullopt).value();
  choice.spikeBlock = spill.spikeBlock;
  choice.numSpikeBuffers = spill.numSpikeBuffers;
  const bool isFixed = request_.fixed.numSlots != 0 || strategy_ == Strategy::Cached;
  const std::uint32_t most = isFixed ? choice.numSlots : T;
  do {
    MemoryDemand least = leastDemand(choice);
    const auto isMore = [&] {
      return best && plain_.bytesAgainst(least, request_.limit) >= best->bytes;
    };
    if (isMore())
      return;
    if (strategy_ != Strategy::Cached) // whose backward ranges need no slots
      least.numActions = fewestActions(T, least.numSlots);
    if (isMore())
      continue;
    const std::optional<Schedule> schedule = make(choice, T);
    const bool isHeld = schedule && fitsRemote(demandOf(*schedule), request_, memoryOf(*schedule));
    if (isHeld && (!best || bytesOf(*schedule) < best->bytes))
      best = {choice, bytesOf(*schedule)};
    else if (!isHeld && roomFor(spill, T).rows) // with few rows, actions are too many by far
      choice.numSlots += choice.numSlots / 8;
  } while (choice.numSlots++ < most);
}

} // namespace spillway::plan
