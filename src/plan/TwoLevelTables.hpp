// The dynamic programme behind plan/Optimal.hpp: which run to make, and whether to spill its start.
//
// All forwards are charged `light` (the T first executions are forced and differ by a constant).
// With c slots, w and rd the cost of one write and one read, and P the binomial optimum:
//   reread E_k(n)  a base just loaded, also in Streaming Memory: reverse the n states after it
//     E_k(n) = min( r P(n, c-1),  min_j  r j + F_k(n-j) + rd + E_k(j-1) )
//   fresh  G_k(n)  a base just computed in a slot, k rows free
//     G_k(n) = min( r P(n, c-1),  min_j  w + r j + G_{k-1}(n-j) + rd + E_{k-1}(j-1) )
//   whole  V(n) = min_j  r j + G(n-j) + W(j-1),  from the initial state, which is free
// Unbounded rows: k does not matter and no write needs to wait for the backward pass, so that F = r
// P(., c-1) and W = r P(., c). With a capacity, rows that are free again may be used again: F_k =
// G_k and W = V.
#pragma once

#include "plan/Schedule.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::plan {

struct TwoLevelProblem {
  Step numSteps = 1;
  std::uint32_t numSlots = 1; // counting the state in work
  double light = 0.1, write = 1.0, read = 1.0;
  std::optional<std::uint32_t> remoteCapacity; // rows; none: as many as wanted
};

// For each n the run length j chosen, or kDirect for the binomial schedule on chip.
inline constexpr std::uint32_t kDirect = 0;

struct TwoLevelTables {
  double value = 0.0;                             // V(T)
  std::vector<std::uint32_t> whole;               // by n: j, from the initial state
  std::vector<std::vector<std::uint32_t>> fresh;  // [k][n], or one layer for every k
  std::vector<std::vector<std::uint32_t>> reread; // likewise
  // The runs from one write to the next; where there are any, instead of fresh.
  std::vector<Step> segments;
  Step grid = 1;           // tables have every so many n: those that end a run
  bool reusesRows = false; // F_k = G_k and W = V: rows are written again in the backward pass
  bool isExact = true;

  // Where n is found, of states after a base and after the initial state.
  std::size_t afterBase(Step n) const { return (std::size_t{n} + 1) / grid - 1; }
  std::size_t afterInitial(Step n) const { return n / grid; }
};

// Unbounded rows, or more rows than the optimum wants: exact, O(T log T) where the segment's cost
// is convex in its length, else O(T J), J being a proven limit on the length of a segment. Binding
// capacity m: exact in O(T^2 m) as long as that is at most kExactCapacityWork; beyond, the better
// of m writes in the first pass (plan/FewRows.hpp) and of rows used again after runs of whole grid
// lengths (plan/ReusedRows.hpp).
inline constexpr double kExactCapacityWork = 4e8, kCoarseCapacityWork = 3e7;
TwoLevelTables solveTwoLevel(const TwoLevelProblem& problem);

} // namespace spillway::plan
