#include "plan/Optimal.hpp"

#include "plan/Binomial.hpp"
#include "plan/Require.hpp"
#include "plan/ScheduleBuilder.hpp"
#include "plan/TimeModel.hpp"
#include "plan/TwoLevelTables.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

// Walks the tables' choices. A base always sits in slot 0 and its row is the number of rows in use,
// since rows are freed in the reverse order of their writing.
class Emitter {
public:
  Emitter(ScheduleBuilder& out, const TwoLevelTables& tables, std::uint32_t numSlots)
      : out_(out), tables_(tables), numSlots_(numSlots) {}

  void fromInitialState(Step numStates) {
    ActionKind kind = ActionKind::Forward;
    while (numStates > 0) {
      const Step run = tables_.whole[tables_.afterInitial(numStates)];
      if (run == kDirect) {
        reverseBinomial(out_, 0, kInitialState, numStates, std::min(numSlots_, numStates), kind);
        return;
      }
      out_.run(kind, 0, run, Keep::Last, kInitialState, 0);
      fresh(run, numStates - run, 0, kind);
      kind = ActionKind::Light;
      numStates = run - 1;
    }
  }

private:
  struct Spilled {
    Step base, numStates; // to be reversed after it is read back
  };

  const std::vector<std::uint32_t>& layer(const std::vector<std::vector<std::uint32_t>>& choices,
                                          std::uint32_t rowsInUse) const {
    return choices.size() == 1 ? choices[0] : choices[choices.size() - 1 - rowsInUse];
  }

  Step freshRun(Step numStates, std::uint32_t rowsInUse) const {
    if (tables_.segments.empty())
      return layer(tables_.fresh, rowsInUse)[tables_.afterBase(numStates)];
    return rowsInUse < tables_.segments.size() ? tables_.segments[rowsInUse] : kDirect;
  }

  // The base is in slot 0, `rowsInUse` rows are taken.
  void fresh(Step base, Step numStates, std::uint32_t rowsInUse, ActionKind kind) {
    std::vector<Spilled> spilled;
    for (Step run; (run = freshRun(numStates, rowsInUse)) != kDirect; ++rowsInUse) {
      out_.write(0, rowsInUse, 1);
      out_.run(kind, base, base + run, Keep::Last, 0, 0);
      spilled.push_back({base, run - 1});
      base += run;
      numStates -= run;
    }
    onChip(base, numStates, kind);
    while (!spilled.empty()) {
      --rowsInUse;
      reread(spilled.back(), rowsInUse);
      spilled.pop_back();
    }
  }

  void reread(Spilled part, std::uint32_t row) {
    out_.read(0, row, 1);
    const auto& runs = layer(tables_.reread, row + 1);
    for (Step run; (run = runs[tables_.afterBase(part.numStates)]) != kDirect;) {
      out_.run(ActionKind::Light, part.base, part.base + run, Keep::Last, 0, 0);
      if (tables_.reusesRows)
        fresh(part.base + run, part.numStates - run, row + 1, ActionKind::Light);
      else
        onChip(part.base + run, part.numStates - run, ActionKind::Light);
      part.numStates = run - 1;
      out_.read(0, row, 1);
    }
    onChip(part.base, part.numStates, ActionKind::Light);
  }

  void onChip(Step base, Step numStates, ActionKind kind) {
    reverseBinomial(out_, base, 0, numStates, numSlots_ - 1, kind);
    out_.backwardOfStates(base, base, 0);
  }

  ScheduleBuilder& out_;
  const TwoLevelTables& tables_;
  std::uint32_t numSlots_;
};

} // namespace

OptimalSchedule optimal(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                        std::optional<std::uint32_t> remoteCapacity) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("slots", numSlots);
  numSlots = std::min(numSlots, numSteps);
  const TwoLevelTables tables =
      solveTwoLevel({numSteps, numSlots, costs.light, costs.write(), costs.read(), remoteCapacity});
  ScheduleBuilder out;
  Emitter(out, tables, numSlots).fromInitialState(numSteps);
  OptimalSchedule result;
  result.schedule = std::move(out).finish(numSteps);
  result.time = numSteps * (costs.forward - costs.light + costs.backward) + tables.value;
  result.lowerBound = synchronousLowerBound(numSteps, numSlots, costs);
  result.isExact = tables.isExact;
  return result;
}

} // namespace spillway::plan
