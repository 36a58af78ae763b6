#include "data/Qtdb.hpp"

#include "data/FileBytes.hpp"

#include <algorithm>

namespace spillway {

namespace {

double at(const MatArray& array, std::size_t sample, std::size_t step, std::size_t channel) {
  return array.values[sample + array.shape[0] * (step + array.shape[1] * channel)];
}

std::string indices(const MatArray& array, std::size_t element) {
  const std::size_t sample = element % array.shape[0];
  const std::size_t step = element / array.shape[0] % array.shape[1];
  return "sample " + std::to_string(sample) + ", step " + std::to_string(step);
}

} // namespace

Qtdb::Qtdb(const std::filesystem::path& path, std::uint32_t numSteps, Unlabelled unlabelled)
    : x_(readMat(path, "x")), y_(readMat(path, "y")), numSteps_(numSteps), unlabelled_(unlabelled) {
  if (x_.shape.size() != 3 || y_.shape.size() != 3 || x_.shape[0] != y_.shape[0] ||
      x_.shape[1] != y_.shape[1] || x_.values.empty() || y_.values.empty()) {
    throw FileError(path, "variables 'x' and 'y'",
                    "must be [samples, steps, channels] and [samples, steps, classes]");
  }
  for (std::size_t i = 0; i < x_.values.size(); ++i) {
    const double value = x_.values[i];
    if (value != -1.0 && value != 0.0 && value != 1.0) {
      throw FileError(path, "variable 'x', " + indices(x_, i),
                      std::to_string(value) + " is not -1, 0 or 1");
    }
  }
  std::vector<double> sums(y_.shape[0] * y_.shape[1]);
  for (std::size_t i = 0; i < y_.values.size(); ++i) {
    double& sum = sums[i % sums.size()];
    sum += y_.values[i];
    if ((y_.values[i] != 0.0 && y_.values[i] != 1.0) || sum > 1.0) {
      throw FileError(path, "variable 'y', " + indices(y_, i), "is not one-hot");
    }
  }
}

std::int32_t Qtdb::labelAt(std::size_t sample, std::size_t step) const {
  for (std::size_t k = 0; k < y_.shape[2]; ++k) {
    if (at(y_, sample, step, k) == 1.0) {
      return static_cast<std::int32_t>(k);
    }
  }
  return unlabelled_ == Unlabelled::FirstClass ? 0 : EventBatch::kNoLabel;
}

Sample Qtdb::sample(std::uint32_t index) const {
  Sample sample;
  sample.stepLabels.assign(numSteps_, EventBatch::kNoLabel);
  const std::size_t steps = std::min<std::size_t>(numSteps_, x_.shape[1]);
  for (std::size_t t = 0; t < steps; ++t) {
    sample.stepLabels[t] = labelAt(index, t);
    for (std::size_t c = 0; c < x_.shape[2]; ++c) {
      const double value = at(x_, index, t, c);
      if (value != 0.0) {
        sample.events.push_back({static_cast<std::uint32_t>(t),
                                 static_cast<std::uint16_t>(value < 0.0 ? c : x_.shape[2] + c)});
      }
    }
  }
  return sample;
}

} // namespace spillway
