// From (tile, value) pairs to one value per tile, as libpva returns them.
#pragma once

#include "profile/ProfileData.hpp"

#include <cstdint>
#include <vector>

namespace pva {

inline std::vector<std::uint64_t> dense(const ipumodel::ByTile& sparse,
                                        const ipumodel::ProfileData& data) {
  std::vector<std::uint64_t> result(data.tiles.size());
  for (const auto& [tile, value] : sparse)
    result[tile] = value;
  return result;
}

} // namespace pva
