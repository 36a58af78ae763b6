// Parameters and gradients in double precision; names, shapes and order as in
// network/Parameters.hpp.
#pragma once

#include "network/Parameters.hpp"

#include <string>
#include <vector>

namespace spillway::reference {

struct DenseTensor {
  std::string name;
  std::vector<std::size_t> shape; // row-major
  std::vector<double> values;
};

using DenseSet = std::vector<DenseTensor>;

// REQUIRES: the set has the names and shapes of parameterShapes(network), else UserError.
DenseSet toDense(const NetworkSpec& network, const ParameterSet& parameters);

// The network's tensors, all 0.
DenseSet zeros(const NetworkSpec& network);

ParameterSet toParameters(const DenseSet& set);

// The tensor of that name, or null where the network has none.
const DenseTensor* find(const DenseSet& set, const std::string& name);
DenseTensor* find(DenseSet& set, const std::string& name);

} // namespace spillway::reference
