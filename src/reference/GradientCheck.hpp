// How far one set of gradients is from another.
#pragma once

#include "reference/DenseTensor.hpp"

#include <string>
#include <vector>

namespace spillway::reference {

struct TensorError {
  std::string name;
  double largestError = 0.0;     // max |a - b|
  double largestReference = 0.0; // max |b|
  double relativeError = 0.0;    // ||a - b|| / ||b||, in the 2-norm; ||a|| where b is 0
};

// One entry per tensor, in order. REQUIRES: equal names and shapes, else UserError.
std::vector<TensorError> compareGradients(const ParameterSet& gradients, const DenseSet& reference);

} // namespace spillway::reference
