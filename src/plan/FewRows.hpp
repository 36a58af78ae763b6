// Where a long chain writes its states when Streaming Memory has fewer rows than it would use.
#pragma once

#include "plan/Schedule.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

// A chain's parts, in order: a run from the initial state, segments whose first state is written,
// and what is reversed on chip at once.
struct FewRowsLayout {
  double value = 0.0; // forwards charged r, as in TwoLevelTables.hpp
  Step firstRun = 0;  // 0: nothing is written
  std::vector<Step> segments;
};

// The terms of its cost, by number of states or, of a segment, by length: all but the last convex.
struct FewRowsCosts {
  double light = 0.1;
  std::vector<double> fromInitial; // r P(n, c)
  std::vector<double> onChip;      // r P(n, c-1)
  std::vector<double> segment;     // from length 1
};

// `numRows` segments, or nothing written where that is cheaper. Segments take the two lengths at
// the corners of the convex hull of their cost that their mean lies between, but for one: no
// division of the same steps is cheaper by more than what that one costs above the hull.
// O(T log T). REQUIRES: tables for 0 .. numSteps; at least one row.
FewRowsLayout solveFewRows(Step numSteps, std::uint32_t numRows, const FewRowsCosts& costs);

} // namespace spillway::plan
