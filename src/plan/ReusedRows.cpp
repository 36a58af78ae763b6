#include "plan/ReusedRows.hpp"

#include "plan/Binomial.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

using Values = std::vector<double>;

struct Division {
  double value;
  std::size_t at; // 0: none is below `limit`
};

// The least a[i] + b[n - i] below `limit`, first <= i < last <= n.
Division bestDivision(const Values& a, const Values& b, std::size_t n, double limit,
                      std::size_t first, std::size_t last) {
  // Independent minima side by side in registers.
  constexpr std::size_t kLanes = 8;
  double least[kLanes];
  std::fill(std::begin(least), std::end(least), limit);
  std::size_t i = first;
  for (; i + kLanes <= last; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = a[i + lane] + b[n - i - lane];
      least[lane] = value < least[lane] ? value : least[lane];
    }
  for (; i < last; ++i)
    least[0] = std::min(least[0], a[i] + b[n - i]);
  const double value = *std::min_element(std::begin(least), std::end(least));
  if (!(value < limit))
    return {limit, 0};
  for (i = first; a[i] + b[n - i] != value;)
    ++i;
  return {value, i};
}

// The same for n = 1, 2, ...; unless it has to be exact, only every so many n are searched whole
// and those between near the one before, since the best place hardly moves.
class Divider {
public:
  explicit Divider(bool isExact) : isExact_(isExact) {}

  Division next(const Values& a, const Values& b, std::size_t n, double limit) {
    constexpr std::size_t kWholeEvery = 16, kNear = 12;
    const bool isWhole = isExact_ || n % kWholeEvery == 0 || before_ == 0;
    const std::size_t first = isWhole || before_ <= kNear ? 1 : before_ - kNear;
    const std::size_t last = isWhole ? n : std::min(n, before_ + kNear);
    const Division found = bestDivision(a, b, n, limit, first, last);
    before_ = found.at;
    return found;
  }

private:
  bool isExact_;
  std::size_t before_ = 0; // none
};

} // namespace

TwoLevelTables solveReusingRows(const TwoLevelProblem& problem, std::uint32_t capacity, Step grid) {
  const double r = problem.light;
  // Entry i has i grid - 1 states after a base, a run of i has i grid steps.
  const std::size_t numPoints = (std::size_t{problem.numSteps} + 1) / grid;
  const auto steps = [&](std::size_t i) { return static_cast<double>(i * grid); };
  const Values perState = binomialTable(problem.numSteps, problem.numSlots - 1);
  Values onChip(numPoints + 1, 0.0);
  for (std::size_t i = 1; i <= numPoints; ++i)
    onChip[i] = r * perState[i * grid - 1];

  TwoLevelTables tables;
  tables.grid = grid;
  tables.reusesRows = true;
  tables.isExact = grid == 1;
  Values freshBelow, runBelow; // G_{k-1}; w + r j + rd + E_{k-1}(j-1) by run
  for (std::uint32_t k = 0; k <= capacity; ++k) {
    Values fresh = onChip, reread = onChip, run(numPoints + 1, 0.0);
    std::vector<std::uint32_t> freshRun(numPoints, kDirect), rereadRun(numPoints, kDirect);
    Divider freshDivider(grid == 1), rereadDivider(grid == 1);
    for (std::size_t n = 1; n <= numPoints && k > 0; ++n) {
      const Division best = freshDivider.next(runBelow, freshBelow, n, fresh[n]);
      fresh[n] = best.value;
      freshRun[n - 1] = static_cast<std::uint32_t>(best.at * grid);
    }
    for (std::size_t n = 1; n <= numPoints; ++n) {
      const Division best = rereadDivider.next(run, fresh, n, reread[n]);
      reread[n] = best.value;
      rereadRun[n - 1] = static_cast<std::uint32_t>(best.at * grid);
      run[n] = r * steps(n) + problem.read + reread[n];
    }
    tables.fresh.push_back(std::move(freshRun));
    tables.reread.push_back(std::move(rereadRun));
    freshBelow = std::move(fresh);
    for (double& value : run)
      value += problem.write;
    runBelow = std::move(run);
  }

  // Entry u has u grid + rest states after the initial one; a run of all but i grid - 1 of them
  // leaves entry u - i. What that costs with its run stands one place later.
  const Step rest = problem.numSteps % grid;
  const std::size_t last = problem.numSteps / grid;
  const Values start = binomialTable(problem.numSteps, problem.numSlots);
  Values afterRun(last + 2, 0.0);
  tables.whole.assign(last + 1, kDirect);
  Divider divider(grid == 1);
  for (std::size_t u = 0; u <= last; ++u) {
    const double direct = r * start[u * grid + rest];
    const Division best = divider.next(freshBelow, afterRun, u + 1, direct * (1.0 - 1e-12));
    const bool isRun = best.at != 0;
    tables.value = isRun ? best.value : direct;
    if (isRun)
      tables.whole[u] = static_cast<std::uint32_t>((u - best.at) * grid + rest + 1);
    afterRun[u + 1] = r * static_cast<double>(u * grid + rest + 1) + tables.value;
  }
  return tables;
}

} // namespace spillway::plan
