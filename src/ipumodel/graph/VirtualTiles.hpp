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

// Its share of the IPUs. Throws poplar::graph_replication_error if the factor does not divide them.
poplar::Target targetOfReplica(const poplar::Target& target, unsigned replicationFactor);

} // namespace ipumodel
