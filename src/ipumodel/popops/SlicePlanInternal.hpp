// What a SlicePlan says.
#pragma once

#include <cstddef>
#include <tuple>

namespace popops {

// Columns are always spread and rows never split, so the sizes alone make the layout.
class SlicePlanInternal {
public:
  std::size_t groupSize = 0, numEntries = 0, outputSize = 0;

  std::tuple<std::size_t, std::size_t, std::size_t> key() const {
    return {groupSize, numEntries, outputSize};
  }
};

} // namespace popops
