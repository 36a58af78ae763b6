// A permutation of flattened tensors, as intervals.
#pragma once

#include <poplar/Interval.hpp>

#include <cstddef>
#include <vector>

namespace ipumodel {

struct Rearrangement {
  std::size_t numElements = 0;
  std::vector<poplar::Interval> source; // ranges of the original, in the new order

  // Appends a range; one that continues the last joins it.
  void add(const poplar::Interval& interval);

  // The same the other way round.
  Rearrangement inverse() const;

  // Where the elements of the original's intervals are now; neighbours merged.
  std::vector<poplar::Interval> map(const std::vector<poplar::Interval>& intervals) const;
};

} // namespace ipumodel
