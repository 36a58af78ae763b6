// The map of winners as a picture: which strategy is fastest over r/f, transfer cost and slots.
#pragma once

#include "plan/Crossover.hpp"
#include "plan/Planner.hpp"

#include <string>
#include <vector>

namespace spillway {

struct CrossoverMap {
  plan::Step numSteps = 0;
  bool overlap = false;
  std::vector<std::uint32_t> slots;
  std::vector<double> lightRatios, transferRatios;
  std::vector<plan::CrossoverCell> cells; // by slots, then light ratio, then transfer ratio
};

// At the request's length and ratio b/f, with the usual range of everything else.
CrossoverMap crossoverFor(const plan::PlanRequest& request);

// SVG: a panel per number of slots, a cell per ratio, its colour the strategy, its text the percent
// over T(f+b).
std::string crossoverPicture(const CrossoverMap& map);
// CSV: a line per cell.
std::string crossoverTable(const CrossoverMap& map);

} // namespace spillway
