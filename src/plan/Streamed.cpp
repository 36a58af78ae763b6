#include "plan/Streamed.hpp"

#include "plan/Binomial.hpp"
#include "plan/LeastWeightPath.hpp"
#include "plan/Require.hpp"
#include "plan/ScheduleBuilder.hpp"
#include "plan/TimeModel.hpp"

#include <algorithm>
#include <limits>

namespace spillway::plan {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBoundSlack = 1.0 - 1e-9; // sums in another order round otherwise

// The terms of the time, for lengths 0 .. T.
class Terms {
public:
  Terms(Step numSteps, std::uint32_t numSlots, const Costs& costs)
      : costs_(costs),
        fromBase_(binomialTable(numSteps, numSlots - 1)),
        fromStart_(binomialTable(numSteps, numSlots)) {}

  double before(std::size_t a) const {
    const double n = static_cast<double>(a);
    return costs_.forward * n + costs_.backward * (n - 1.0) + costs_.light * fromStart_[a - 1];
  }
  double reverse(std::size_t d) const {
    return costs_.backward * static_cast<double>(d) + costs_.light * fromBase_[d - 1];
  }
  double writeGap(std::size_t d) const {
    return std::max(costs_.forward * static_cast<double>(d), costs_.write());
  }
  // A base takes actions of its own: those of its two transfers, and two or three ranges; and it
  // passes through both buffers.
  double actions() const { return 6.0 * costs_.perAction + costs_.stageOut + costs_.stageIn; }
  double firstGap(std::size_t d) const { return writeGap(d) + reverse(d) + actions(); }
  double gap(std::size_t d) const {
    return writeGap(d) + std::max(reverse(d), costs_.read()) + actions();
  }
  double tail(std::size_t l) const {
    const double n = static_cast<double>(l);
    return costs_.forward * n + costs_.backward * (n + 1.0) + costs_.light * (fromBase_[l] - n);
  }
  // The last gap d and the `last` steps after it; a single base has none to fetch while it is
  // reversed.
  double end(std::size_t d, std::size_t last, bool single) const {
    return (single ? reverse(d) : std::max(reverse(d), costs_.read())) +
           std::max(costs_.forward * static_cast<double>(d) + tail(last),
                    costs_.write() + costs_.read()) +
           actions();
  }
  // At least that of any last gap and tail of so many steps: recomputation is convex in both.
  double leastEnd(std::size_t length) const {
    const double n = static_cast<double>(length);
    const std::size_t half = (length - 1) / 2;
    return (costs_.forward + costs_.backward) * n + costs_.backward + actions() +
           costs_.light * (fromBase_[half] + fromBase_[length - 1 - half] - (n - 1.0));
  }
  double onChip(std::size_t T) const {
    const double n = static_cast<double>(T);
    return n * (costs_.forward - costs_.light + costs_.backward) + costs_.light * fromStart_[T];
  }

private:
  const Costs& costs_;
  std::vector<double> fromBase_, fromStart_; // P(., c-1), P(., c)
};

// The best split of `length` steps into the last gap and the tail; its cost is convex in the gap.
std::size_t bestLastGap(const Terms& terms, std::size_t length, bool single) {
  std::size_t low = 1, high = length;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (terms.end(middle + 1, length - middle - 1, single) <
        terms.end(middle, length - middle, single))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct Best {
  double time = kInfinity;
  std::size_t lastBase = 0; // a_m
  bool single = false;
};

// Tries every place of the last remote base, `prefix` giving the time up to it. From the end, since
// the best is near it and bounds what is worth a closer look.
void tryLastBases(const Terms& terms, const std::vector<double>& prefix, bool single, Best& best) {
  const std::size_t T = prefix.size() - 1;
  for (std::size_t n = T; n-- > 1;) {
    if (prefix[n] + terms.leastEnd(T - n) * kBoundSlack > best.time)
      continue;
    const std::size_t gap = bestLastGap(terms, T - n, single);
    const double time = prefix[n] + terms.end(gap, T - n - gap, single);
    if (time < best.time || (time == best.time && single == best.single)) // the earlier of equals
      best = {time, n, single};
  }
}

struct Prefixes {
  std::vector<double> start; // A(n): the first base at n
  PathTable second;          // the second base at n
  PathTable later;           // the second or any later base at n
  std::vector<double> gap;   // by length
};

Prefixes solvePrefixes(const Terms& terms, Step numSteps) {
  const std::size_t size = std::size_t{numSteps} + 1;
  Prefixes out;
  out.start.assign(size, kInfinity);
  out.gap.assign(size, 0.0);
  std::vector<double> firstGap(size, 0.0);
  for (std::size_t n = 1; n < size; ++n) {
    out.start[n] = terms.before(n);
    out.gap[n] = terms.gap(n);
    firstGap[n] = terms.firstGap(n);
  }
  // One gap after the first base: both terms convex, so the best first base moves with n.
  out.second = {std::vector<double>(size, kInfinity), std::vector<std::uint32_t>(size, kNoParent)};
  for (std::size_t n = 2, a = 1; n < size; ++n) {
    const auto cost = [&](std::size_t from) { return out.start[from] + firstGap[n - from]; };
    while (a + 1 < n && cost(a + 1) <= cost(a))
      ++a;
    out.second.value[n] = cost(a);
    out.second.parent[n] = static_cast<std::uint32_t>(a);
  }
  out.later = leastWeightPath(out.second.value, std::vector<double>(size, 0.0), out.gap,
                              {{1, size - 1}}, 2);
  return out;
}

StreamedLayout layoutOf(const Prefixes& prefixes, const Terms& terms, Step numSteps,
                        const Best& best) {
  StreamedLayout layout;
  const std::size_t rest = numSteps - best.lastBase;
  const std::size_t lastGap = bestLastGap(terms, rest, best.single);
  layout.gaps.push_back(static_cast<Step>(lastGap));
  layout.last = static_cast<Step>(rest - lastGap);
  std::size_t n = best.lastBase;
  if (!best.single) {
    for (; prefixes.later.parent[n] != kNoParent; n = prefixes.later.parent[n])
      layout.gaps.push_back(static_cast<Step>(n - prefixes.later.parent[n]));
    layout.gaps.push_back(static_cast<Step>(n - prefixes.second.parent[n]));
    n = prefixes.second.parent[n];
  }
  layout.first = static_cast<Step>(n);
  std::reverse(layout.gaps.begin(), layout.gaps.end());
  return layout;
}

// Exactly `numBases` >= 2 bases: the numBases - 2 gaps between the second and the last are equal up
// to one step, the cost of a gap being convex.
StreamedLayout bestWithBases(const Prefixes& prefixes, const Terms& terms, Step numSteps,
                             std::size_t numBases, Best& best) {
  const std::size_t T = numSteps, middle = numBases - 2;
  const auto middleCost = [&](std::size_t length) {
    if (middle == 0)
      return length == 0 ? 0.0 : kInfinity;
    const std::size_t each = length / middle, longer = length % middle;
    return static_cast<double>(middle - longer) * prefixes.gap[each] +
           static_cast<double>(longer) * prefixes.gap[each + (longer > 0)];
  };
  std::vector<double> prefix(T + 1, kInfinity);
  std::vector<std::size_t> second(T + 1, 0);
  for (std::size_t n = 2 + middle, s = 2; n <= T; ++n) {
    const auto cost = [&](std::size_t at) {
      return prefixes.second.value[at] + middleCost(n - at);
    };
    if (middle == 0)
      s = n;
    while (s + 1 + middle <= n && cost(s + 1) <= cost(s))
      ++s;
    prefix[n] = cost(s);
    second[n] = s;
  }
  best = {};
  tryLastBases(terms, prefix, false, best);
  StreamedLayout layout;
  const std::size_t s = second[best.lastBase], rest = T - best.lastBase;
  layout.first = prefixes.second.parent[s];
  layout.gaps.push_back(static_cast<Step>(s - layout.first));
  for (std::size_t i = 0; i < middle; ++i)
    layout.gaps.push_back(
        static_cast<Step>((best.lastBase - s) / middle + (i < (best.lastBase - s) % middle)));
  layout.gaps.push_back(static_cast<Step>(bestLastGap(terms, rest, false)));
  layout.last = static_cast<Step>(rest) - layout.gaps.back();
  return layout;
}

} // namespace

double streamedTime(const StreamedLayout& layout, std::uint32_t numSlots, const Costs& costs) {
  Step numSteps = layout.first + layout.last;
  for (Step gap : layout.gaps)
    numSteps += gap;
  const Terms terms(numSteps, numSlots, costs);
  const std::size_t m = layout.gaps.size();
  if (m == 0)
    return terms.onChip(numSteps);
  double time = terms.before(layout.first);
  for (std::size_t i = 0; i + 1 < m; ++i)
    time += i == 0 ? terms.firstGap(layout.gaps[i]) : terms.gap(layout.gaps[i]);
  return time + terms.end(layout.gaps.back(), layout.last, m == 1);
}

Schedule streamedSchedule(Step numSteps, const StreamedLayout& layout, std::uint32_t numSlots) {
  if (layout.gaps.empty())
    return revolve(numSteps, numSlots);
  ScheduleBuilder out;
  const auto m = static_cast<std::uint32_t>(layout.gaps.size());
  Step base = layout.first;
  out.run(ActionKind::Forward, 0, base, Keep::Last, kInitialState, 0);
  for (std::uint32_t i = 0; i < m; ++i) {
    out.startWrite(0, i);
    if (i + 1 == m)
      out.startRead(i);
    out.run(ActionKind::Forward, base, base + layout.gaps[i], Keep::Last, 0, 0);
    base += layout.gaps[i];
  }
  reverseBinomial(out, base, 0, layout.last, numSlots - 1, ActionKind::Forward);
  out.backwardOfStates(base, base, 0);
  for (std::uint32_t i = m; i-- > 0;) {
    base -= layout.gaps[i];
    out.finishRead(0, i);
    if (i > 0)
      out.startRead(i - 1);
    reverseBinomial(out, base, 0, layout.gaps[i] - 1, numSlots - 1, ActionKind::Light);
    out.backwardOfStates(base, base, 0);
  }
  reverseBinomial(out, 0, kInitialState, layout.first - 1, numSlots, ActionKind::Light);
  return std::move(out).finish(numSteps);
}

StreamedSchedule streamed(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                          std::optional<std::uint32_t> remoteCapacity) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("slots", numSlots);
  numSlots = std::min(numSlots, numSteps);
  const Terms terms(numSteps, numSlots, costs);
  StreamedSchedule result;
  result.time = terms.onChip(numSteps);
  result.lowerBound = overlappedLowerBound(numSteps, numSlots, costs);

  const std::uint32_t capacity = remoteCapacity.value_or(numSteps);
  if (capacity > 0 && numSlots < numSteps) {
    const Prefixes prefixes = solvePrefixes(terms, numSteps);
    Best best;
    tryLastBases(terms, prefixes.start, true, best);
    if (capacity > 1)
      tryLastBases(terms, prefixes.later.value, false, best);
    if (best.time < result.time * (1.0 - 1e-12)) {
      result.layout = layoutOf(prefixes, terms, numSteps, best);
      if (result.layout.gaps.size() > capacity)
        result.layout = bestWithBases(prefixes, terms, numSteps, capacity, best);
      if (best.time < result.time)
        result.time = best.time;
      else
        result.layout = {};
    }
  }
  result.schedule = streamedSchedule(numSteps, result.layout, numSlots);
  return result;
}

} // namespace spillway::plan
