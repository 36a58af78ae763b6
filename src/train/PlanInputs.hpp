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
  std::string assumptions;               // one line: what the figures rest on
  std::string originOfCosts = {};        // "modelled"
  bool costsMeasured = false;            // on this host
  bool streamedWaits = false;            // a run of `streamed` waits for its transfers
  std::vector<std::string> leftOut = {}; // strategies the table has not got, and why
  // What each number of copies of the weight gradients would cost; empty where there is no choice.
  struct GradientCopies {
    std::uint32_t copies = 1;
    bool chosen = false;
    std::uint64_t bytes = 0;                         // on the tile with most of them
    double backwardCycles = 0.0, addingCycles = 0.0; // a step's; once an update
  };
  std::vector<GradientCopies> gradientCopies = {};
};

// The share of its cap (of its size, where there is none) that every list of ids is filled to.
// Not given: of event-based units what they begin with, else kUncappedActivity of the size, or the
// cap where one is set: on an IPU always, on the cpu where that is less.
inline constexpr double kUncappedActivity = 0.05, kUntrainedEventActivity = 0.5;

// The share of a layer's neurons that is active, where neither that nor a cap is given.
double assumedActivity(const LayerSpec& layer);

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

} // namespace spillway
