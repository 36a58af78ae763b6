#include "data/Randman.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spillway {

namespace {

constexpr std::uint32_t kNumHarmonics = 16;
constexpr std::uint32_t kNumRangePoints = 128; // to find the range of each coordinate
enum Purpose : std::uint64_t { kAmplitudes = 11, kPhases = 12, kPoints = 13, kRangePoints = 14 };

} // namespace

Randman::Randman(const RandmanOptions& options) : options_(options) {
  const std::size_t numManifolds = std::size_t{options.numClasses} * options.numInputs;
  const CounterRandom amplitudes(options.seed, {kAmplitudes}), phases(options.seed, {kPhases});
  for (std::size_t i = 0; i < numManifolds * options.dimension * kNumHarmonics; ++i) {
    const auto k = static_cast<double>(i % kNumHarmonics + 1);
    amplitude_.push_back(amplitudes.uniform(i) * std::pow(k, -options.smoothness));
    phase_.push_back(phases.uniform(i));
  }
  // Stretch every coordinate to the whole time axis.
  range_.assign(numManifolds, {INFINITY, -INFINITY});
  for (std::uint32_t p = 0; p < kNumRangePoints; ++p) {
    const std::vector<double> point = drawPoint(kRangePoints, p);
    for (std::uint32_t m = 0; m < numManifolds; ++m) {
      const double value = coordinate(m, point);
      range_[m] = {std::min(range_[m].low, value), std::max(range_[m].high, value)};
    }
  }
}

std::vector<double> Randman::drawPoint(std::uint64_t stream, std::uint64_t index) const {
  const CounterRandom random(options_.seed, {kPoints, stream, index});
  std::vector<double> point;
  for (std::uint32_t d = 0; d < options_.dimension; ++d) {
    point.push_back(random.uniform(d));
  }
  return point;
}

double Randman::coordinate(std::uint32_t manifold, const std::vector<double>& point) const {
  double product = 1.0;
  for (std::uint32_t d = 0; d < options_.dimension; ++d) {
    double sum = 0.0;
    for (std::uint32_t k = 0; k < kNumHarmonics; ++k) {
      const std::size_t at = (std::size_t{manifold} * options_.dimension + d) * kNumHarmonics + k;
      sum += amplitude_[at] * std::sin(2.0 * std::numbers::pi * ((k + 1) * point[d] + phase_[at]));
    }
    product *= sum;
  }
  return product;
}

Sample Randman::sample(std::uint32_t index) const {
  const std::uint32_t label = index % options_.numClasses;
  const std::vector<double> point = drawPoint(options_.stream, index);
  Sample sample;
  sample.label = static_cast<std::int32_t>(label);
  for (std::uint32_t i = 0; i < options_.numInputs; ++i) {
    const std::uint32_t manifold = label * options_.numInputs + i;
    const Range& range = range_[manifold];
    const double width = std::max(range.high - range.low, 1e-300);
    const double time = std::clamp((coordinate(manifold, point) - range.low) / width, 0.0, 1.0);
    sample.events.push_back(
        {std::min(options_.numSteps - 1, static_cast<std::uint32_t>(time * options_.numSteps)),
         static_cast<std::uint16_t>(i)});
  }
  return sample;
}

} // namespace spillway
