// Shortest paths over 0 < 1 < ... < N whose edge weight is a convex function of its length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::plan {

inline constexpr std::uint32_t kNoParent = 0xffffffffu;

struct PathTable {
  std::vector<double> value;         // value[n]
  std::vector<std::uint32_t> parent; // the i chosen, or kNoParent where direct[n] is best
};

// Lengths [begin, end] of edges over which a weight is convex.
struct Stretch {
  std::size_t begin, end;
};

// Cuts the lengths 1 .. last at the concave bends of the weight: one stretch if it is convex.
std::vector<Stretch> convexStretches(const std::vector<double>& weight, std::size_t last);

// value[n] = min(direct[n], min over first <= i < n of value[i] + node[i] + weight[n - i]), n = 0
// .. N, where n - i lies in one of the stretches.
//
// REQUIRES: direct, node and weight have N+1 entries; weight is convex on each stretch. Then under
// the weight of one stretch, continued steeply to either side, a later i, once better than an
// earlier one, stays so, and a queue of candidates with the n from which each is best answers in
// O(N log N). Ties go to the later i.
PathTable leastWeightPath(const std::vector<double>& direct, const std::vector<double>& node,
                          const std::vector<double>& weight, const std::vector<Stretch>& stretches,
                          std::size_t first = 0);

// The same by trying every edge of at most maxLength: O(N maxLength), for any weight.
PathTable leastWeightPathBounded(const std::vector<double>& direct, const std::vector<double>& node,
                                 const std::vector<double>& weight, std::size_t maxLength);

} // namespace spillway::plan
