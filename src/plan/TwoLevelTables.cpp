#include "plan/TwoLevelTables.hpp"

#include "plan/Binomial.hpp"
#include "plan/FewRows.hpp"
#include "plan/LeastWeightPath.hpp"
#include "plan/ReusedRows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spillway::plan {

namespace {

using Values = std::vector<double>;

Values scaled(Values values, double factor) {
  for (double& value : values)
    value *= factor;
  return values;
}

// Segments longer than this need not be considered. A segment of length g that is read once can be
// cut in two for one write and one read more; by convexity of P that pays for every g beyond the
// first for which it does. A base that is read again to re-run j states could as well be written at
// j: w against r j. So no segment is longer than g + w/r.
std::size_t longestSegment(const Values& perSegment, const TwoLevelProblem& problem) {
  const std::size_t limit = perSegment.size() - 1;
  const auto gain = [&](std::size_t length) {
    const std::size_t half = length / 2;
    return perSegment[length - 1] - perSegment[half - 1] - perSegment[length - half - 1];
  };
  std::size_t low = 2, high = limit + 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (gain(middle) >= problem.write + problem.read)
      high = middle;
    else
      low = middle + 1;
  }
  const double again = std::floor(problem.write / problem.light);
  return again >= static_cast<double>(limit)
             ? limit
             : std::min(limit, low + static_cast<std::size_t>(again) + 1);
}

// Path tables name the state i left behind; the programme's choice is the length of the run.
std::vector<std::uint32_t> runLengths(const std::vector<std::uint32_t>& parents,
                                      bool parentIsRest) {
  std::vector<std::uint32_t> result(parents.size(), kDirect);
  for (std::size_t n = 0; n < parents.size(); ++n)
    if (parents[n] != kNoParent)
      result[n] = parentIsRest ? static_cast<std::uint32_t>(n) - parents[n] : parents[n] + 1;
  return result;
}

// Trying this many edges takes about as long as keeping one more queue of candidates.
constexpr std::size_t kEdgesPerQueue = 100;

struct Unbounded {
  Values onChip;      // r P(n, c-1)
  Values segmentCost; // of a remote segment by its length
  PathTable fresh, reread;
};

// E over i = j-1: E(i) + (rd + r (i+1)) + r P(n-1-i, c-1), the last convex in n-i.
PathTable solveReread(const TwoLevelProblem& problem, const Values& onChip, std::size_t longest) {
  const Values direct(onChip.begin(), onChip.begin() + static_cast<std::ptrdiff_t>(longest) + 1);
  Values node(longest + 1), weight(longest + 1);
  for (std::size_t i = 0; i <= longest; ++i) {
    node[i] = problem.read + problem.light * static_cast<double>(i + 1);
    weight[i] = i == 0 ? 0.0 : onChip[i - 1];
  }
  return leastWeightPath(direct, node, weight, {{1, longest}});
}

double segmentCost(const TwoLevelProblem& problem, const PathTable& reread, std::size_t length) {
  return problem.write + problem.read + problem.light * static_cast<double>(length) +
         reread.value[length - 1];
}

Unbounded solveUnboundedPaths(const TwoLevelProblem& problem) {
  const std::size_t size = std::size_t{problem.numSteps} + 1;
  Unbounded out;
  out.onChip = scaled(binomialTable(problem.numSteps, problem.numSlots - 1), problem.light);
  const std::size_t longest = longestSegment(out.onChip, problem);

  out.reread = solveReread(problem, out.onChip, longest);

  // G over i = n-j: G(i) + (w + rd + r j + E(j-1)).
  out.segmentCost.assign(size, std::numeric_limits<double>::infinity());
  for (std::size_t j = 1; j <= longest; ++j)
    out.segmentCost[j] = segmentCost(problem, out.reread, j);
  const Values nothing(size, 0.0);
  const auto stretches = convexStretches(out.segmentCost, longest);
  out.fresh = longest <= stretches.size() * kEdgesPerQueue
                  ? leastWeightPathBounded(out.onChip, nothing, out.segmentCost, longest)
                  : leastWeightPath(out.onChip, nothing, out.segmentCost, stretches);
  return out;
}

// V(T) and its first run, the part before it done on chip from the initial state.
// start: P(n, c).
void chooseFirstRun(const TwoLevelProblem& problem, const Values& start, const Values& fresh,
                    TwoLevelTables& tables) {
  const std::size_t T = problem.numSteps;
  tables.value = problem.light * start[T];
  tables.whole.assign(T + 1, kDirect);
  for (std::size_t j = 1; j <= T; ++j) {
    const double value =
        problem.light * static_cast<double>(j) + fresh[T - j] + problem.light * start[j - 1];
    if (value < tables.value * (1.0 - 1e-12)) {
      tables.value = value;
      tables.whole[T] = static_cast<std::uint32_t>(j);
    }
  }
}

std::uint32_t writesOf(const TwoLevelTables& tables, std::size_t numSteps) {
  std::uint32_t writes = 0;
  if (tables.whole[numSteps] == kDirect)
    return 0;
  for (std::size_t n = numSteps - tables.whole[numSteps]; tables.fresh[0][n] != kDirect; ++writes)
    n -= tables.fresh[0][n];
  return writes;
}

// `capacity` writes, all in the first pass. Segments are longer than they would be with more rows.
TwoLevelTables solveFirstPassOnly(const TwoLevelProblem& problem, const Unbounded& paths,
                                  std::uint32_t capacity) {
  const std::size_t T = problem.numSteps;
  const PathTable reread = solveReread(problem, paths.onChip, T);
  FewRowsCosts costs{problem.light,
                     scaled(binomialTable(problem.numSteps, problem.numSlots), problem.light),
                     paths.onChip, Values(T + 1, 0.0)};
  for (std::size_t length = 1; length <= T; ++length)
    costs.segment[length] = segmentCost(problem, reread, length);
  FewRowsLayout layout = solveFewRows(problem.numSteps, capacity, costs);
  TwoLevelTables tables;
  tables.value = layout.value;
  tables.whole.assign(T + 1, kDirect);
  tables.whole[T] = layout.firstRun; // kDirect: nothing is written
  tables.segments = std::move(layout.segments);
  tables.reread.push_back(runLengths(reread.parent, false));
  tables.isExact = false;
  return tables;
}

} // namespace

TwoLevelTables solveTwoLevel(const TwoLevelProblem& problem) {
  const std::size_t T = problem.numSteps;
  TwoLevelTables tables;
  // Free recomputation, or all states fit: nothing to gain from spilling.
  if (problem.light <= 0.0 || problem.numSlots >= problem.numSteps ||
      problem.remoteCapacity == std::optional<std::uint32_t>(0)) {
    tables.whole.assign(T + 1, kDirect);
    tables.value = problem.light * static_cast<double>(binomialSteps(T, problem.numSlots));
    return tables;
  }
  const Unbounded paths = solveUnboundedPaths(problem);
  tables.fresh.push_back(runLengths(paths.fresh.parent, true));
  tables.reread.push_back(runLengths(paths.reread.parent, false));
  chooseFirstRun(problem, binomialTable(problem.numSteps, problem.numSlots), paths.fresh.value,
                 tables);
  if (!problem.remoteCapacity || writesOf(tables, T) <= *problem.remoteCapacity)
    return tables;
  const std::uint32_t capacity = *problem.remoteCapacity;
  const double points = static_cast<double>(T) + 1.0;
  if (points * points * (capacity + 1.0) <= kExactCapacityWork)
    return solveReusingRows(problem, capacity, 1);
  // Rows that are used again gain more where they are few, lengths that are free where they are
  // many, and fewer rows leave a finer grid. The same numbers of rows are tried whatever the
  // capacity, so that more of it is not slower.
  TwoLevelTables best = solveFirstPassOnly(problem, paths, capacity);
  const auto tryRows = [&](std::uint32_t rows, Step grid) {
    TwoLevelTables reusing = solveReusingRows(problem, rows, grid);
    const double value = reusing.value;
    if (value < best.value)
      best = std::move(reusing);
    return value;
  };
  constexpr int kWorseInARow = 2;
  double least = std::numeric_limits<double>::infinity();
  int worse = 0;
  for (std::uint32_t rows = 1; rows <= capacity && worse < kWorseInARow; rows += (rows + 1) / 2) {
    const double numPoints = std::sqrt(kCoarseCapacityWork / (rows + 1.0));
    const auto grid = static_cast<Step>(std::max(1.0, std::ceil(points / numPoints)));
    const double value = tryRows(rows, grid);
    worse = value < least ? 0 : worse + 1;
    least = std::min(least, value);
  }
  best.isExact = false; // of all the rows
  return best;
}

} // namespace spillway::plan
