#include "reference/GradientCheck.hpp"

#include "network/UserError.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::reference {

std::vector<TensorError> compareGradients(const ParameterSet& gradients,
                                          const DenseSet& reference) {
  if (gradients.size() != reference.size()) {
    throw UserError("cannot compare " + std::to_string(gradients.size()) + " gradients with " +
                    std::to_string(reference.size()));
  }
  std::vector<TensorError> errors;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const ParameterTensor& a = gradients[i];
    const DenseTensor& b = reference[i];
    if (a.name != b.name || a.values.size() != b.values.size()) {
      throw UserError("cannot compare " + a.name + " of " + std::to_string(a.values.size()) +
                      " values with " + b.name + " of " + std::to_string(b.values.size()));
    }
    TensorError error{.name = b.name};
    double squaredError = 0.0, squaredReference = 0.0;
    for (std::size_t k = 0; k < b.values.size(); ++k) {
      const double difference = static_cast<double>(a.values[k]) - b.values[k];
      // A NaN would pass unseen through max().
      const double size = std::isnan(difference) ? HUGE_VAL : std::abs(difference);
      error.largestError = std::max(error.largestError, size);
      error.largestReference = std::max(error.largestReference, std::abs(b.values[k]));
      squaredError += difference * difference;
      squaredReference += b.values[k] * b.values[k];
    }
    error.relativeError =
        std::sqrt(squaredReference == 0.0 ? squaredError : squaredError / squaredReference);
    errors.push_back(error);
  }
  return errors;
}

} // namespace spillway::reference
