#include "plan/LeastWeightPath.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace spillway::plan {

namespace {

struct Candidate {
  std::size_t from;
  std::size_t bestSince; // the first n at which it beats its predecessor in the queue
};

} // namespace

PathTable leastWeightPath(const std::vector<double>& direct, const std::vector<double>& node,
                          const std::vector<double>& weight, std::size_t first) {
  const std::size_t size = direct.size();
  PathTable table{direct, std::vector<std::uint32_t>(size, kNoParent)};
  const auto cost = [&](std::size_t from, std::size_t to) {
    return table.value[from] + node[from] + weight[to - from];
  };
  std::deque<Candidate> queue;
  for (std::size_t n = 0; n < size; ++n) {
    while (queue.size() > 1 && queue[1].bestSince <= n)
      queue.pop_front();
    if (!queue.empty())
      if (const double best = cost(queue.front().from, n); best < table.value[n]) {
        table.value[n] = best;
        table.parent[n] = static_cast<std::uint32_t>(queue.front().from);
      }
    if (n < first || n + 1 >= size)
      continue;
    // Candidates that n beats already where they begin never come to their turn.
    const auto turn = [&] { return std::max(queue.back().bestSince, n + 1); };
    while (!queue.empty() && cost(n, turn()) <= cost(queue.back().from, turn()))
      queue.pop_back();
    std::size_t low = n + 1;
    if (!queue.empty()) {
      low = turn();
      for (std::size_t high = size; low < high;) {
        const std::size_t middle = low + (high - low) / 2;
        if (cost(n, middle) <= cost(queue.back().from, middle))
          high = middle;
        else
          low = middle + 1;
      }
    }
    if (low < size)
      queue.push_back({n, low});
  }
  return table;
}

PathTable leastWeightPathBounded(const std::vector<double>& direct, const std::vector<double>& node,
                                 const std::vector<double>& weight, std::size_t maxLength) {
  const std::size_t size = direct.size();
  PathTable table{direct, std::vector<std::uint32_t>(size, kNoParent)};
  std::vector<double> start(size); // value + node
  for (std::size_t n = 0; n < size; ++n) {
    const std::size_t low = n > maxLength ? n - maxLength : 0;
    // Four independent minima let the compiler keep them in registers side by side.
    double best[4] = {direct[n], direct[n], direct[n], direct[n]};
    std::size_t i = low;
    for (; i + 4 <= n; i += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const double value = start[i + lane] + weight[n - i - lane];
        best[lane] = value < best[lane] ? value : best[lane];
      }
    for (; i < n; ++i)
      best[0] = std::min(best[0], start[i] + weight[n - i]);
    table.value[n] = std::min({best[0], best[1], best[2], best[3]});
    if (table.value[n] < direct[n])
      for (i = n; i-- > low;)
        if (start[i] + weight[n - i] == table.value[n]) {
          table.parent[n] = static_cast<std::uint32_t>(i);
          break;
        }
    start[n] = table.value[n] + node[n];
  }
  return table;
}

bool isConvex(const std::vector<double>& weight, std::size_t last) {
  for (std::size_t i = 3; i <= last; ++i) {
    const double bend = weight[i] - 2.0 * weight[i - 1] + weight[i - 2];
    if (bend < -1e-9 * std::max(1.0, std::abs(weight[i])))
      return false;
  }
  return true;
}

} // namespace spillway::plan
