// Replays a schedule on the states themselves, by the rules of plan/Schedule.hpp and nothing else:
// no code of the simulator, the builder or the closed forms. Throws std::logic_error at the first
// wrong action.
#pragma once

#include "plan/Schedule.hpp"
#include "plan/ScheduleCounts.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace spillway::plan {

class ReplayOracle {
public:
  static ScheduleCounts replay(const Schedule& schedule) {
    ReplayOracle oracle(schedule);
    for (const Action& action : schedule.actions)
      oracle.apply(action);
    oracle.require(oracle.forwarded_ == schedule.numSteps, "steps left out");
    oracle.require(oracle.reversed_ == schedule.numSteps, "steps not reversed");
    return oracle.counts_;
  }

private:
  explicit ReplayOracle(const Schedule& schedule) : schedule_(schedule) {}

  static void require(bool holds, const char* what) {
    if (!holds)
      throw std::logic_error(what);
  }

  Step at(Slot slot) const {
    if (slot == kInitialState)
      return 0;
    const auto found = slots_.find(slot);
    require(found != slots_.end(), "an empty slot is read");
    return found->second;
  }

  void put(Slot slot, Step state) {
    require(slot >= 0 && slot < static_cast<Slot>(schedule_.numSlots), "no such slot");
    slots_[slot] = state;
    counts_.slotsUsed = std::max(counts_.slotsUsed, static_cast<std::uint32_t>(slot) + 1);
  }

  void run(const Action& action) {
    require(at(action.source) == action.begin, "a run starts from another state");
    for (Step t = action.begin; t < action.end; ++t) {
      const bool first = action.kind == ActionKind::Forward;
      require(first ? t == forwarded_ : t < forwarded_,
              "a first run of a step run before, or a light run of a new one");
      forwarded_ += first ? 1 : 0;
      ++(first ? counts_.forwardSteps : counts_.lightSteps);
      if (action.keep == Keep::All)
        put(action.slot + static_cast<Slot>(t - action.begin), t + 1);
    }
    if (action.keep == Keep::Last)
      put(action.slot, action.end);
  }

  void reverse(const Action& action) {
    require(forwarded_ == schedule_.numSteps, "reversed before the end is known");
    require(schedule_.numSteps - reversed_ == action.end, "reversed out of order");
    for (Step t = action.end; t-- > action.begin; ++reversed_) {
      const Slot slot = action.slot + static_cast<Slot>(t - action.begin);
      require(at(slot) == t + 1, "the state of the step is not in its slot");
      slots_.erase(slot);
      ++counts_.backwardSteps;
    }
  }

  void apply(const Action& action) {
    switch (action.kind) {
    case ActionKind::Forward:
    case ActionKind::Light:
      return run(action);
    case ActionKind::Backward:
      return reverse(action);
    case ActionKind::Copy:
      return put(action.slot, at(action.source));
    case ActionKind::WriteRemote:
    case ActionKind::StartWrite:
      for (std::uint32_t i = 0; i < writes(action); ++i)
        rows_[action.row + i] = at(action.slot + static_cast<Slot>(i));
      counts_.remoteWrites += writes(action);
      ++counts_.remoteWriteOps;
      return;
    case ActionKind::ReadRemote:
      for (std::uint32_t i = 0; i < action.count; ++i)
        put(action.slot + static_cast<Slot>(i), row(action.row + i));
      counts_.remoteReads += action.count;
      ++counts_.remoteReadOps;
      return;
    case ActionKind::StartRead:
      require(!incoming_, "the incoming buffer is taken");
      incoming_ = row(action.row);
      ++counts_.remoteReads;
      ++counts_.remoteReadOps;
      return;
    case ActionKind::FinishRead:
      require(incoming_.has_value(), "nothing is on its way");
      put(action.slot, *incoming_);
      incoming_.reset();
      return;
    case ActionKind::WriteSpikes:
    case ActionKind::ReadSpikes:
      throw std::logic_error("spilled spikes are not replayed here");
    }
  }

  static std::uint32_t writes(const Action& action) {
    return action.kind == ActionKind::StartWrite ? 1 : action.count;
  }

  Step row(std::uint32_t index) const {
    const auto found = rows_.find(index);
    require(found != rows_.end() && index < schedule_.numRows, "an empty row is read");
    return found->second;
  }

  const Schedule& schedule_;
  std::map<Slot, Step> slots_;
  std::map<std::uint32_t, Step> rows_;
  std::optional<Step> incoming_;
  Step forwarded_ = 0, reversed_ = 0;
  ScheduleCounts counts_;
};

} // namespace spillway::plan
