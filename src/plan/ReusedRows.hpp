// The recursion of a finite capacity, whose rows are written again when they are free again.
#pragma once

#include "plan/TwoLevelTables.hpp"

namespace spillway::plan {

// G_k, E_k and V of plan/TwoLevelTables.hpp for k up to `capacity`, over runs of whole multiples of
// `grid` (but for the first from the initial state, which takes what T leaves over): the numbers of
// states after a base are then one less than a multiple. Exact where grid is 1, O(T^2 m); else most
// places of a run are looked for near the last.
// REQUIRES: 1 <= grid <= T.
TwoLevelTables solveReusingRows(const TwoLevelProblem& problem, std::uint32_t capacity, Step grid);

} // namespace spillway::plan
