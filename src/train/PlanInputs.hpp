// What the planner has to know, from the settings: machine, memory and costs.
#pragma once

#include "config/Settings.hpp"
#include "plan/Planner.hpp"

#include <optional>
#include <string>
#include <vector>

namespace spillway {

struct PlanInputs {
  plan::MemoryModel memory;
  plan::PlanRequest request; // times in cycles of clockHz
  double clockHz = 0.0;
  std::string assumptions;          // one line: what the figures rest on
  bool costsMeasured = false;       // on this host
  std::vector<std::string> leftOut; // strategies the table has not got, and why
};

// The share of its cap (of its size, where there is none) that every list of ids is filled to.
// Not given: 1 where a cap is set, else kUncappedActivity.
inline constexpr double kUncappedActivity = 0.05;

struct PlanOptions {
  std::optional<double> activity; // as above
  enum class Layout {
    Ours,
    Paper // of the implementation the checkpointing paper was measured with: its bytes, its costs
  } layout = Layout::Ours;
};

// REQUIRES: the network has its inputs and outputs. Throws UserError where it does not fit the
// machine's tiles.
PlanInputs planInputs(const Settings& settings, const PlanOptions& options = {});

struct ChosenSchedule {
  plan::Schedule schedule;
  std::string reason; // one line; empty where the settings left no choice
};

// The schedule of one training step that the settings ask for; `auto` is decided here.
// Throws UserError when the strategy does not fit checkpoint.memoryBudget or the host's memory; for
// `auto` when nothing does, saying the smallest budget and the largest T that would.
ChosenSchedule scheduleFor(const Settings& settings);

// The planner's name of a strategy. REQUIRES: not Auto.
plan::Strategy planStrategyOf(StrategyKind kind);

} // namespace spillway
