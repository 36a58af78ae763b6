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

// value[n] = min(direct[n], min over first <= i < n of value[i] + node[i] + weight[n - i]), n = 0
// .. N.
//
// REQUIRES: direct, node and weight have N+1 entries; weight[1 ..] is convex. Then a later i, once
// better than an earlier one, stays so, and a queue of candidates with the n from which each is
// best answers in O(N log N). Ties go to the later i.
PathTable leastWeightPath(const std::vector<double>& direct, const std::vector<double>& node,
                          const std::vector<double>& weight, std::size_t first = 0);

// The same by trying every edge of at most maxLength: O(N maxLength), for any weight.
PathTable leastWeightPathBounded(const std::vector<double>& direct, const std::vector<double>& node,
                                 const std::vector<double>& weight, std::size_t maxLength);

// Second differences of weight[1 .. last] not negative, but for rounding.
bool isConvex(const std::vector<double>& weight, std::size_t last);

} // namespace spillway::plan
