#include "plan/FewRows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace spillway::plan {

namespace {

// The lower convex hull of a segment's cost, for segments whose mean length is given.
class SegmentHull {
public:
  explicit SegmentHull(const std::vector<double>& cost) : cost_(cost) {
    for (std::size_t length = 1; length < cost.size(); ++length) {
      while (corners_.size() > 1 && isAbove(corners_.end()[-2], corners_.back(), length))
        corners_.pop_back();
      corners_.push_back(length);
    }
  }

  // So many segments of so many steps. REQUIRES: at least one step each.
  std::vector<Step> divide(std::size_t numSteps, std::size_t numSegments) const {
    const auto [shorter, longer] = around(numSteps, numSegments);
    std::vector<Step> segments(numSegments, static_cast<Step>(shorter));
    std::size_t rest = numSteps - numSegments * shorter;
    for (Step& segment : segments) {
      const std::size_t more = std::min(rest, longer - shorter);
      segment += static_cast<Step>(more);
      rest -= more;
    }
    return segments;
  }

  // What they cost at the least.
  double bound(std::size_t numSteps, std::size_t numSegments) const {
    const auto [shorter, longer] = around(numSteps, numSegments);
    const double slope = longer == shorter ? 0.0
                                           : (cost_[longer] - cost_[shorter]) /
                                                 static_cast<double>(longer - shorter);
    return static_cast<double>(numSegments) * cost_[shorter] +
           slope * static_cast<double>(numSteps - numSegments * shorter);
  }

private:
  bool isAbove(std::size_t before, std::size_t at, std::size_t after) const {
    return (cost_[at] - cost_[before]) * static_cast<double>(after - before) >=
           (cost_[after] - cost_[before]) * static_cast<double>(at - before);
  }

  // The corners about the mean length.
  std::pair<std::size_t, std::size_t> around(std::size_t numSteps, std::size_t numSegments) const {
    const auto above = std::upper_bound(corners_.begin(), corners_.end(), numSteps / numSegments);
    return {above[-1], above == corners_.end() ? above[-1] : *above};
  }

  const std::vector<double>& cost_;
  std::vector<std::size_t> corners_;
};

} // namespace

FewRowsLayout solveFewRows(Step numSteps, std::uint32_t numRows, const FewRowsCosts& costs) {
  const std::size_t T = numSteps, m = numRows;
  FewRowsLayout best{costs.fromInitial[T], 0, {}};
  const SegmentHull hull(costs.segment);
  // Both terms of what follows the first run are convex: their best division moves with its length.
  std::size_t last = 0, bestRest = 0, bestLast = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t rest = m; rest < T; ++rest) {
    const auto cost = [&](std::size_t onChip) {
      return costs.onChip[onChip] + hull.bound(rest - onChip, m);
    };
    double value = cost(last);
    for (double next; last + m < rest && (next = cost(last + 1)) <= value; ++last)
      value = next;
    const std::size_t run = T - rest;
    value += costs.light * static_cast<double>(run) + costs.fromInitial[run - 1];
    if (value < least) {
      least = value;
      bestRest = rest;
      bestLast = last;
    }
  }
  if (!(least < best.value))
    return best;
  FewRowsLayout layout{0.0, static_cast<Step>(T - bestRest), hull.divide(bestRest - bestLast, m)};
  layout.value = costs.light * layout.firstRun + costs.fromInitial[layout.firstRun - 1] +
                 costs.onChip[bestLast];
  for (Step segment : layout.segments)
    layout.value += costs.segment[segment];
  return layout.value < best.value * (1.0 - 1e-12) ? layout : best;
}

} // namespace spillway::plan
