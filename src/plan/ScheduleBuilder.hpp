// Collects actions, joining neighbours that a device can run as one range, and keeps count of the
// slots and rows they touch.
#pragma once

#include "plan/Schedule.hpp"

namespace spillway::plan {

class ScheduleBuilder {
public:
  // Runs from state `from` (in `source`) to state `to`, keeping the last in `slot`, or all states
  // from+1 .. to in `slot`, slot+1, ... An empty range adds nothing.
  void run(ActionKind kind, Step from, Step to, Keep keep, Slot source, Slot slot);
  // Backward of the steps that end in states first .. last, of which `first` sits in `slot` and the
  // others follow. Nothing if first > last.
  void backwardOfStates(Step first, Step last, Slot slot);
  void copyInitialState(Slot slot);
  void write(Slot slot, std::uint32_t row, std::uint32_t count);
  void read(Slot slot, std::uint32_t row, std::uint32_t count);
  void startWrite(Slot slot, std::uint32_t row);
  void startRead(std::uint32_t row);
  void finishRead(Slot slot, std::uint32_t row);

  Schedule finish(Step numSteps) &&;

private:
  void transfer(ActionKind kind, Slot slot, std::uint32_t row, std::uint32_t count);
  void touch(Slot slot, std::uint32_t count);

  Schedule schedule_;
};

} // namespace spillway::plan
