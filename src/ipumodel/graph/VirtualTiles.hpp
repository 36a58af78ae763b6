// The tiles of a virtual graph.
#pragma once

#include <poplar/Target.hpp>

#include <unordered_map>
#include <vector>

namespace ipumodel {

struct VirtualTiles {
  poplar::Target target;
  std::vector<unsigned> toTopLevel; // by the virtual graph's own number
  std::unordered_map<unsigned, unsigned> fromTopLevel;
};

} // namespace ipumodel
