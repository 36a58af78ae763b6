#include "plan/SpikeSpill.hpp"

#include "plan/Require.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

namespace {

constexpr std::uint32_t kNoBlock = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

bool usesSpikes(const Action& action) {
  return action.kind == ActionKind::Forward || action.kind == ActionKind::Light ||
         action.kind == ActionKind::Backward;
}

// The pieces of a range, in the order they run, none crossing a block's end.
std::vector<Action> cutAtBlocks(const Action& action, Step blockSteps) {
  std::vector<Action> pieces;
  for (Step begin = action.begin; begin < action.end;) {
    Action piece = action;
    piece.begin = begin;
    piece.end = std::min(action.end, (begin / blockSteps + 1) * blockSteps);
    const auto offset = static_cast<Slot>(begin - action.begin);
    const bool readsStates = action.kind == ActionKind::Backward && action.slot != kInitialState;
    if (readsStates || action.keep == Keep::All)
      piece.slot = action.slot + offset;
    if (action.kind != ActionKind::Backward && offset > 0)
      piece.source = action.keep == Keep::All ? piece.slot - 1 : action.slot;
    pieces.push_back(piece);
    begin = piece.end;
  }
  if (action.kind == ActionKind::Backward)
    std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

struct Buffer {
  std::uint32_t block = kNoBlock;
  std::size_t nextUse = kNever;
};

class Spiller {
public:
  Spiller(std::vector<Action> actions, Step blockSteps, std::uint32_t numBlocks,
          std::uint32_t numBuffers)
      : actions_(std::move(actions)),
        blockSteps_(blockSteps),
        nextUse_(actions_.size(), kNever),
        written_(numBlocks, false),
        buffers_(numBuffers) {
    std::vector<std::size_t> next(numBlocks, kNever);
    for (std::size_t i = actions_.size(); i-- > 0;)
      if (usesSpikes(actions_[i])) {
        std::size_t& later = next[blockOf(actions_[i])];
        nextUse_[i] = later;
        later = i;
      }
  }

  std::vector<Action> run() {
    out_.reserve(actions_.size() + written_.size());
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      Action action = actions_[i];
      if (usesSpikes(action)) {
        const std::uint32_t buffer = bufferFor(action);
        buffers_[buffer].nextUse = nextUse_[i];
        action.spikes = buffer;
      }
      out_.push_back(action);
    }
    return std::move(out_);
  }

private:
  std::uint32_t blockOf(const Action& action) const { return action.begin / blockSteps_; }

  std::uint32_t bufferFor(const Action& action) {
    const std::uint32_t block = blockOf(action);
    for (std::uint32_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].block == block)
        return i;
    std::uint32_t chosen = 0;
    for (std::uint32_t i = 1; i < buffers_.size(); ++i)
      if (buffers_[i].nextUse > buffers_[chosen].nextUse)
        chosen = i;
    Buffer& buffer = buffers_[chosen];
    if (buffer.block != kNoBlock && buffer.nextUse != kNever && !written_[buffer.block]) {
      move(ActionKind::WriteSpikes, chosen, buffer.block);
      written_[buffer.block] = true;
    }
    if (action.kind != ActionKind::Forward)
      move(ActionKind::ReadSpikes, chosen, block);
    buffer.block = block;
    return chosen;
  }

  void move(ActionKind kind, std::uint32_t buffer, std::uint32_t block) {
    Action action;
    action.kind = kind;
    action.slot = static_cast<Slot>(buffer);
    action.row = block;
    out_.push_back(action);
  }

  std::vector<Action> actions_, out_;
  Step blockSteps_;
  std::vector<std::size_t> nextUse_; // of the same block, by action
  std::vector<bool> written_;
  std::vector<Buffer> buffers_;
};

} // namespace

std::uint64_t numPieces(const Schedule& schedule, Step blockSteps) {
  std::uint64_t pieces = 0;
  for (const Action& action : schedule.actions)
    pieces +=
        usesSpikes(action) ? (action.end - 1) / blockSteps - action.begin / blockSteps + 1 : 1;
  return pieces;
}

Schedule withSpilledSpikes(Schedule schedule, Step blockSteps, std::uint32_t numBuffers) {
  requireAtLeastOne("spike block", blockSteps);
  requireAtLeastOne("spike buffers", numBuffers);
  if (schedule.spikeBlock != 0)
    throw UserError("the schedule's spike history is spilled already, in blocks of " +
                    std::to_string(schedule.spikeBlock) + " steps");
  blockSteps = std::min(blockSteps, schedule.numSteps);
  const std::uint32_t numBlocks = (schedule.numSteps - 1) / blockSteps + 1;
  schedule.spikeBlock = blockSteps;
  schedule.numSpikeBuffers = std::min(numBuffers, numBlocks);
  // Lists of a long sequence's actions are large: at most two are alive.
  std::vector<Action> whole = std::move(schedule.actions), pieces;
  pieces.reserve(whole.size() + numBlocks);
  for (const Action& action : whole) {
    if (!usesSpikes(action)) {
      pieces.push_back(action);
      continue;
    }
    const std::vector<Action> cut = cutAtBlocks(action, blockSteps);
    pieces.insert(pieces.end(), cut.begin(), cut.end());
  }
  std::vector<Action>().swap(whole);
  schedule.actions =
      Spiller(std::move(pieces), blockSteps, numBlocks, schedule.numSpikeBuffers).run();
  return schedule;
}

} // namespace spillway::plan
