// The least of Streaming Memory with which a strategy fits its budget.
#include "plan/Evaluation.hpp"
#include "plan/SpillShapes.hpp"

namespace spillway::plan {

namespace {

// Each takes a plan; those of long chains with few rows are slow to find, and gain little.
constexpr int kMostDescents = 64, kFewDescents = 4;
constexpr Step kLongChain = 1000;

// Whether fewer rows make its slots more: the others run without any.
bool needsRows(Strategy strategy) {
  return strategy == Strategy::Remote || strategy == Strategy::Hierarchical ||
         strategy == Strategy::Double;
}

} // namespace

std::optional<RemoteNeed> Evaluation::smallestRemote() const {
  std::optional<RemoteNeed> least;
  const auto take = [&](const std::optional<RemoteNeed>& need) {
    if (need && (!least || need->bytes < least->bytes))
      least = need;
  };
  if (request_.fixed.spikeBlock == 0)
    take(smallestRemote(StrategyChoice{}));
  if (request_.fixed.spikeBlock != 0 || request_.spillSpikes)
    for (const StrategyChoice& spill : spillShapes(request_.fixed))
      take(smallestRemote(spill));
  // With as much, the search may find something that needs less still.
  const bool isSlow = !needsRows(strategy_) && request_.numSteps > kLongChain;
  for (int i = 0; least && least->bytes > 0 && i < (isSlow ? kFewDescents : kMostDescents); ++i) {
    PlanRequest less = request_;
    less.remoteRows.reset();
    less.remoteBytes = least->bytes - 1;
    Evaluation evaluation(strategy_, less, plain_);
    const std::optional<Attempt> attempt = evaluation.anythingThatFits();
    if (!attempt)
      break;
    least = remoteNeedOf(demandOf(attempt->schedule), memoryOf(attempt->schedule));
  }
  return least;
}

std::optional<RemoteNeed> Evaluation::smallestRemote(const StrategyChoice& spill) const {
  PlanRequest request = request_;
  request.remoteBytes.reset();
  request.spillSpikes = false;
  request.fixed.spikeBlock = spill.spikeBlock;
  request.fixed.numSpikeBuffers = spill.numSpikeBuffers;
  const std::uint64_t history = remoteNeedOf(demandFor(spill, request_.numSteps), memory_).rows;
  const auto needWith = [&](std::uint64_t rows) -> std::optional<RemoteNeed> {
    request.remoteRows = static_cast<std::uint32_t>(history + rows);
    Evaluation evaluation(strategy_, request, plain_);
    evaluation.limitsPieces_ = limitsPieces_; // this shape is one of several to try
    const std::optional<Attempt> attempt = evaluation.anythingThatFits();
    return attempt ? std::optional(
                         remoteNeedOf(demandOf(attempt->schedule), memoryOf(attempt->schedule)))
                   : std::nullopt;
  };
  if (!needsRows(strategy_))
    return needWith(0);
  std::optional<RemoteNeed> least = needWith(request_.numSteps);
  std::uint64_t fails = 0, enough = request_.numSteps;
  if (const auto none = needWith(0))
    return none;
  while (least && enough - fails > 1) {
    const std::uint64_t middle = fails + (enough - fails) / 2;
    const std::optional<RemoteNeed> need = needWith(middle);
    (need ? enough : fails) = middle;
    least = need ? need : least;
  }
  return least;
}

} // namespace spillway::plan
