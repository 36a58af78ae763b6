#include "plan/ScheduleBuilder.hpp"

#include <algorithm>
#include <utility>

namespace spillway::plan {

namespace {

bool isRun(ActionKind kind) {
  return kind == ActionKind::Forward || kind == ActionKind::Light;
}

// A run of one step keeps all its states whatever `keep` says.
bool keepsAll(const Action& action) {
  return action.keep == Keep::All || action.end - action.begin == 1;
}

Slot lastSlot(const Action& action) {
  return action.keep == Keep::All ? action.slot + static_cast<Slot>(action.end - action.begin) - 1
                                  : action.slot;
}

// Extends `last` by `next` if both together are one legal range; says whether it did.
bool join(Action& last, const Action& next) {
  if (last.kind != next.kind)
    return false;
  if (isRun(next.kind)) {
    if (last.end != next.begin || next.source != lastSlot(last))
      return false;
    if (last.keep == Keep::Last && next.keep == Keep::Last && next.slot == next.source) {
      last.end = next.end;
      return true;
    }
    const bool sourceInside = last.source > last.slot; // later slots must not reach it
    if (keepsAll(last) && keepsAll(next) && next.slot == lastSlot(last) + 1 && !sourceInside) {
      last.keep = Keep::All;
      last.end = next.end;
      return true;
    }
    return false;
  }
  if (next.kind == ActionKind::Backward && next.end == last.begin &&
      next.slot + static_cast<Slot>(next.end - next.begin) == last.slot) {
    last.begin = next.begin;
    last.slot = next.slot;
    return true;
  }
  return false;
}

void append(std::vector<Action>& actions, const Action& next) {
  if (actions.empty() || !join(actions.back(), next))
    actions.push_back(next);
}

} // namespace

void ScheduleBuilder::touch(Slot slot, std::uint32_t count) {
  schedule_.numSlots = std::max(schedule_.numSlots, static_cast<std::uint32_t>(slot) + count);
}

void ScheduleBuilder::run(ActionKind kind, Step from, Step to, Keep keep, Slot source, Slot slot) {
  if (from >= to)
    return;
  Action action;
  action.kind = kind;
  action.begin = from;
  action.end = to;
  action.keep = to - from == 1 ? Keep::Last : keep;
  action.source = source;
  action.slot = slot;
  touch(slot, action.keep == Keep::All ? to - from : 1);
  append(schedule_.actions, action);
}

void ScheduleBuilder::backwardOfStates(Step first, Step last, Slot slot) {
  if (first > last)
    return;
  Action action;
  action.kind = ActionKind::Backward;
  action.begin = first - 1;
  action.end = last;
  action.slot = slot;
  touch(slot, last - first + 1);
  append(schedule_.actions, action);
}

void ScheduleBuilder::copyInitialState(Slot slot) {
  Action action;
  action.kind = ActionKind::Copy;
  action.slot = slot;
  touch(slot, 1);
  schedule_.actions.push_back(action);
}

void ScheduleBuilder::transfer(ActionKind kind, Slot slot, std::uint32_t row, std::uint32_t count) {
  Action action;
  action.kind = kind;
  action.slot = slot;
  action.row = row;
  action.count = count;
  schedule_.numRows = std::max(schedule_.numRows, row + count);
  schedule_.actions.push_back(action);
}

void ScheduleBuilder::write(Slot slot, std::uint32_t row, std::uint32_t count) {
  touch(slot, count);
  transfer(ActionKind::WriteRemote, slot, row, count);
}

void ScheduleBuilder::read(Slot slot, std::uint32_t row, std::uint32_t count) {
  touch(slot, count);
  transfer(ActionKind::ReadRemote, slot, row, count);
}

void ScheduleBuilder::startWrite(Slot slot, std::uint32_t row) {
  touch(slot, 1);
  schedule_.numStaging = 1;
  transfer(ActionKind::StartWrite, slot, row, 1);
}

void ScheduleBuilder::startRead(std::uint32_t row) {
  schedule_.numStaging = 1;
  transfer(ActionKind::StartRead, 0, row, 1);
}

void ScheduleBuilder::finishRead(Slot slot, std::uint32_t row) {
  touch(slot, 1);
  transfer(ActionKind::FinishRead, slot, row, 1);
}

Schedule ScheduleBuilder::finish(Step numSteps) && {
  schedule_.numSteps = numSteps;
  return std::move(schedule_);
}

} // namespace spillway::plan
