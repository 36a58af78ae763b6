#include "plan/Simulator.hpp"

#include "plan/ScheduleText.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace spillway::plan {

namespace {

using State = std::optional<Step>;

std::string name(const State& state) {
  return state ? "state " + std::to_string(*state) : std::string("nothing");
}

class Replay {
public:
  explicit Replay(const Schedule& schedule)
      : schedule_(schedule),
        slots_(schedule.numSlots),
        rows_(schedule.numRows),
        buffers_(schedule.numSpikeBuffers),
        nextBackward_(schedule.numSteps) {
    if (schedule.spikeBlock != 0)
      blockWritten_.resize((schedule.numSteps - 1) / schedule.spikeBlock + 1, false);
  }

  ScheduleCounts run() {
    for (index_ = 0; index_ < schedule_.actions.size(); ++index_)
      apply(schedule_.actions[index_]);
    if (forwardDone_ != schedule_.numSteps)
      failAtEnd("forward stopped at step " + std::to_string(forwardDone_));
    if (nextBackward_ != 0)
      failAtEnd("backward stopped at step " + std::to_string(nextBackward_));
    if (incoming_)
      failAtEnd("a read was started and not finished");
    if (counts_.slotsUsed != schedule_.numSlots)
      failAtEnd("only " + std::to_string(counts_.slotsUsed) + " of " +
                std::to_string(schedule_.numSlots) + " slots are used");
    return counts_;
  }

private:
  void apply(const Action& action) {
    switch (action.kind) {
    case ActionKind::Forward:
    case ActionKind::Light:
      return advance(action);
    case ActionKind::Backward:
      return backward(action);
    case ActionKind::Copy:
      slot(action.slot) = stateIn(action.source);
      return;
    case ActionKind::WriteRemote:
    case ActionKind::StartWrite:
      return write(action);
    case ActionKind::ReadRemote:
      return read(action);
    case ActionKind::StartRead:
      return startRead(action);
    case ActionKind::FinishRead:
      return finishRead(action);
    case ActionKind::WriteSpikes:
    case ActionKind::ReadSpikes:
      return moveSpikes(action);
    }
    fail("unknown kind of action");
  }

  void checkRange(const Action& action) const {
    if (action.begin >= action.end || action.end > schedule_.numSteps)
      fail("the range is empty or passes the end");
  }

  // A range reads its block of spikes where the action says it is; Forward makes it.
  void checkSpikes(const Action& action) {
    if (schedule_.spikeBlock == 0)
      return;
    const std::uint32_t block = action.begin / schedule_.spikeBlock;
    if (block != (action.end - 1) / schedule_.spikeBlock)
      fail("the range leaves its block of spikes");
    if (action.spikes >= schedule_.numSpikeBuffers)
      fail("spike buffer " + std::to_string(action.spikes) + " is none of the " +
           std::to_string(schedule_.numSpikeBuffers));
    State& held = buffers_[action.spikes];
    if (action.kind == ActionKind::Forward && action.begin % schedule_.spikeBlock == 0)
      held = block;
    if (held != block)
      fail("block " + std::to_string(block) + " of the spikes is not in buffer " +
           std::to_string(action.spikes));
  }

  void moveSpikes(const Action& action) {
    const auto buffer = static_cast<std::uint32_t>(action.slot);
    if (buffer >= schedule_.numSpikeBuffers || action.row >= blockWritten_.size())
      fail("no such buffer or block of spikes");
    if (action.kind == ActionKind::WriteSpikes) {
      if (buffers_[buffer] != action.row)
        fail("the block is not in this buffer");
      if (forwardDone_ < std::min((action.row + 1) * schedule_.spikeBlock, schedule_.numSteps))
        fail("the block is not complete");
      blockWritten_[action.row] = true;
      ++counts_.spikeWrites;
    } else {
      if (!blockWritten_[action.row])
        fail("the block was never written");
      buffers_[buffer] = action.row;
      ++counts_.spikeReads;
    }
  }

  void advance(const Action& action) {
    checkRange(action);
    checkSpikes(action);
    const Step length = action.end - action.begin;
    expect(stateIn(action.source), action.begin, "source");
    if (action.kind == ActionKind::Forward) {
      if (action.begin != forwardDone_)
        fail("the next first execution is that of step " + std::to_string(forwardDone_));
      forwardDone_ = action.end;
      counts_.forwardSteps += length;
    } else {
      if (action.end > forwardDone_)
        fail("no spikes are stored from step " + std::to_string(forwardDone_) + " on");
      counts_.lightSteps += length;
    }
    if (action.keep == Keep::Last) {
      slot(action.slot) = action.end;
      return;
    }
    if (action.source > action.slot && action.source < action.slot + static_cast<Slot>(length))
      fail("the source lies among the slots to be written");
    for (Step i = 0; i < length; ++i)
      slot(action.slot + static_cast<Slot>(i)) = action.begin + 1 + i;
  }

  void backward(const Action& action) {
    checkRange(action);
    checkSpikes(action);
    if (action.end != nextBackward_)
      fail("the next step to reverse is " + std::to_string(nextBackward_ - 1));
    if (forwardDone_ != schedule_.numSteps)
      fail("the forward pass is at step " + std::to_string(forwardDone_));
    for (Step step = action.end; !schedule_.cachesSurrogate && step-- > action.begin;) {
      State& state = slot(action.slot + static_cast<Slot>(step - action.begin));
      expect(state, step + 1, "slot");
      state.reset();
    }
    counts_.backwardSteps += action.end - action.begin;
    nextBackward_ = action.begin;
  }

  void write(const Action& action) {
    checkTransfer(action);
    for (std::uint32_t i = 0; i < action.count; ++i) {
      const State state = stateIn(action.slot + static_cast<Slot>(i));
      if (!state)
        fail("slot " + std::to_string(action.slot + static_cast<Slot>(i)) + " holds nothing");
      rows_[action.row + i] = state;
    }
    counts_.remoteWrites += action.count;
    ++counts_.remoteWriteOps;
  }

  void read(const Action& action) {
    checkTransfer(action);
    for (std::uint32_t i = 0; i < action.count; ++i)
      slot(action.slot + static_cast<Slot>(i)) = written(action.row + i);
    counts_.remoteReads += action.count;
    ++counts_.remoteReadOps;
  }

  void startRead(const Action& action) {
    checkTransfer(action);
    if (incoming_)
      fail("the incoming buffer still holds row " + std::to_string(*incoming_));
    (void)written(action.row);
    incoming_ = action.row;
    ++counts_.remoteReads;
    ++counts_.remoteReadOps;
  }

  void finishRead(const Action& action) {
    checkTransfer(action);
    if (incoming_ != action.row)
      fail(incoming_ ? "the read on its way is of row " + std::to_string(*incoming_)
                     : std::string("no read was started"));
    slot(action.slot) = written(action.row);
    incoming_.reset();
  }

  void checkTransfer(const Action& action) const {
    if (action.count == 0 || action.count > schedule_.numRows ||
        action.row > schedule_.numRows - action.count)
      fail("no states, or rows beyond the " + std::to_string(schedule_.numRows) + " there are");
    const bool overlapped =
        action.kind != ActionKind::WriteRemote && action.kind != ActionKind::ReadRemote;
    if (overlapped && (schedule_.numStaging == 0 || action.count != 1))
      fail("overlapped transfers move one state and need staging buffers");
  }

  State written(std::uint32_t row) const {
    if (!rows_[row])
      fail("row " + std::to_string(row) + " was never written");
    return rows_[row];
  }

  State& slot(Slot index) {
    if (index < 0 || static_cast<std::uint32_t>(index) >= schedule_.numSlots)
      fail("slot " + std::to_string(index) + " is none of the " +
           std::to_string(schedule_.numSlots));
    counts_.slotsUsed = std::max(counts_.slotsUsed, static_cast<std::uint32_t>(index) + 1);
    return slots_[static_cast<std::size_t>(index)];
  }

  State stateIn(Slot index) { return index == kInitialState ? State(0) : slot(index); }

  void expect(const State& found, Step wanted, const char* where) const {
    if (found != wanted)
      fail(std::string(where) + " holds " + name(found) + ", not state " + std::to_string(wanted));
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw ScheduleError("action " + std::to_string(index_) + " (" +
                        toText(schedule_.actions[index_]) + "): " + why);
  }

  [[noreturn]] void failAtEnd(const std::string& why) const {
    throw ScheduleError("end of the schedule of " + std::to_string(schedule_.numSteps) +
                        " steps: " + why);
  }

  const Schedule& schedule_;
  std::vector<State> slots_, rows_;
  std::vector<State> buffers_; // the block each spike buffer holds
  std::vector<bool> blockWritten_;
  std::optional<std::uint32_t> incoming_; // the row on its way
  Step forwardDone_ = 0, nextBackward_;
  std::size_t index_ = 0;
  ScheduleCounts counts_;
};

} // namespace

ScheduleCounts simulate(const Schedule& schedule) {
  return Replay(schedule).run();
}

} // namespace spillway::plan
