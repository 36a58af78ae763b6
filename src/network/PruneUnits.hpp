// A network of gated layers without some of its units.
#pragma once

#include "network/Parameters.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

struct PrunedNetwork {
  NetworkSpec network;
  ParameterSet parameters;
};

// By layer the units that stay, ascending, at least one each. Rows and columns of all tensors that
// belong to the others are taken out; where words are read, embeddings lose the elements of the
// last layer's units. Elsewhere a unit that never fires can go without any output changing.
// REQUIRES: a gated network and its parameters.
PrunedNetwork pruneUnits(const NetworkSpec& network, const ParameterSet& parameters,
                         const std::vector<std::vector<std::uint32_t>>& kept);

// The floor(size * (1 - fraction)) units of a layer that fired most, at least one, ascending; of
// equals the first.
std::vector<std::uint32_t> mostActive(const std::vector<std::uint64_t>& numEvents, double fraction);

} // namespace spillway
