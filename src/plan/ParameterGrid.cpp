#include "plan/ParameterGrid.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::plan {

namespace {

constexpr Step kExhaustive = 256;
constexpr Step kMostBatches = 16;
constexpr Step kFewCheckpoints = 64;

// Collects values from 1 to a limit.
class Values {
public:
  explicit Values(Step limit) : limit_(limit) {}

  void add(double value) {
    if (value >= 1.0 && value <= limit_)
      values_.push_back(static_cast<Step>(value));
  }
  // What rounds to the edge of a condition, and its neighbours.
  void addAround(double value) {
    for (int offset = -2; offset <= 2; ++offset)
      add(std::floor(value) + offset);
  }

  std::vector<Step> sorted() && {
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    return std::move(values_);
  }

private:
  Step limit_;
  std::vector<Step> values_;
};

// All small values; then 3 % apart, powers of two and the neighbourhood of the square root, where
// the fewest slots are.
void addGrid(Step limit, Values& values) {
  for (Step value = 1; value <= std::min(limit, kExhaustive); ++value)
    values.add(value);
  if (limit <= kExhaustive)
    return;
  for (double value = kExhaustive; value < limit; value *= 1.03)
    values.add(value);
  for (double value = kExhaustive; value < limit; value *= 2.0)
    values.add(value);
  const double root = std::sqrt(static_cast<double>(limit));
  for (int offset = -8; offset <= 8; ++offset)
    values.add(std::floor(root) + offset);
  values.add(limit);
}

double slotsOf(const ParameterLimits& limits) {
  return static_cast<double>(std::min<std::uint64_t>(limits.maxSlots, limits.numSteps));
}

} // namespace

std::uint64_t leastRemoteLength(const ParameterLimits& limits) {
  if (!limits.remoteRows)
    return 1;
  // Tight, neither the initial state nor the last base is written.
  const std::uint64_t rows =
      std::uint64_t{*limits.remoteRows} + (limits.form == Form::Tight ? 2 : 0);
  return rows == 0 ? std::uint64_t{limits.numSteps} + 1 : (limits.numSteps + rows - 1) / rows;
}

std::vector<Step> chunksOf(const ParameterLimits& limits) {
  Values values(limits.numSteps);
  addGrid(limits.numSteps, values);
  if (limits.numSteps > kExhaustive) {
    const double slots = slotsOf(limits), T = limits.numSteps;
    values.addAround(slots); // Remote: a chunk and little else
    // Standard: k + T/k slots, but for a few.
    for (int few = 0; few <= 3; ++few) {
      const double sum = slots + few, square = sum * sum - 4.0 * T;
      if (square >= 0.0) {
        values.addAround((sum - std::sqrt(square)) / 2.0);
        values.addAround((sum + std::sqrt(square)) / 2.0);
      }
    }
    values.addAround(static_cast<double>(leastRemoteLength(limits)));
  }
  return std::move(values).sorted();
}

std::vector<Step> innerChunksOf(const ParameterLimits& limits) {
  // A chunk longer than the slots cannot fit, unless it is cut to what is left.
  const auto most = static_cast<Step>(
      std::min<std::uint64_t>(limits.numSteps, std::max<std::uint64_t>(1, limits.maxSlots) + 2));
  Values values(most);
  addGrid(most, values);
  return std::move(values).sorted();
}

std::vector<Step> segmentsOf(const ParameterLimits& limits) {
  Values values(limits.numSteps);
  addGrid(limits.numSteps, values);
  if (limits.numSteps > kExhaustive)
    values.addAround(static_cast<double>(leastRemoteLength(limits)));
  return std::move(values).sorted();
}

std::vector<Step> fillingSegmentsOf(const ParameterLimits& limits, Step chunk) {
  Values values(limits.numSteps);
  if (limits.numSteps > kExhaustive) // K/k + k slots, but for a few
    for (int few = 0; few <= 3; ++few)
      values.addAround(static_cast<double>(chunk) * (slotsOf(limits) + few - chunk));
  return std::move(values).sorted();
}

std::vector<Step> batchesOf(const ParameterLimits& limits, Step numCheckpoints) {
  const auto most = static_cast<Step>(std::min<std::uint64_t>(
      std::max<Step>(1, numCheckpoints), std::max<std::uint64_t>(1, limits.maxSlots)));
  Values values(most);
  values.add(1);
  values.add(most);
  for (Step batches = 1; batches <= kMostBatches; ++batches)
    values.add(std::ceil(static_cast<double>(numCheckpoints) / batches));
  for (Step each = 1; each <= std::min(most, kFewCheckpoints); ++each)
    values.add(each);
  return std::move(values).sorted();
}

} // namespace spillway::plan
