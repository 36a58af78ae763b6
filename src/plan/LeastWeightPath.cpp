#include "plan/LeastWeightPath.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace spillway::plan {

namespace {

// Per step outside a stretch; steeper than any weight, and convex.
constexpr double kSteep = 1e12;

// The candidates for the last edge under the weight of one stretch, in the order in which they come
// to be best.
class CandidateQueue {
public:
  // `start` holds the cost of the path up to each candidate, known by the time it is added.
  CandidateQueue(const std::vector<double>& start, const std::vector<double>& weight,
                 Stretch stretch)
      : start_(start), weight_(weight), stretch_(stretch) {}

  double cost(std::size_t from, std::size_t to) const {
    const std::size_t length = to - from;
    const std::size_t nearest = std::clamp(length, stretch_.begin, stretch_.end);
    const std::size_t away = length > nearest ? length - nearest : nearest - length;
    return start_[from] + weight_[nearest] + kSteep * static_cast<double>(away);
  }

  // The best candidate for `to`, which never decreases; kNoParent if there is none.
  std::uint32_t bestFor(std::size_t to) {
    while (queue_.size() > 1 && queue_[1].bestSince <= to)
      queue_.pop_front();
    return queue_.empty() ? kNoParent : static_cast<std::uint32_t>(queue_.front().from);
  }

  void add(std::size_t from) {
    const std::size_t size = start_.size();
    if (from + 1 >= size)
      return;
    // Candidates that are beaten already where they begin never come to their turn.
    const auto turn = [&] { return std::max(queue_.back().bestSince, from + 1); };
    while (!queue_.empty() && cost(from, turn()) <= cost(queue_.back().from, turn()))
      queue_.pop_back();
    std::size_t low = from + 1;
    if (!queue_.empty()) {
      low = turn();
      for (std::size_t high = size; low < high;) {
        const std::size_t middle = low + (high - low) / 2;
        if (cost(from, middle) <= cost(queue_.back().from, middle))
          high = middle;
        else
          low = middle + 1;
      }
    }
    if (low < size)
      queue_.push_back({from, low});
  }

private:
  struct Candidate {
    std::size_t from;
    std::size_t bestSince; // the first end at which it beats its predecessor in the queue
  };

  const std::vector<double>&start_, &weight_;
  Stretch stretch_;
  std::deque<Candidate> queue_;
};

} // namespace

PathTable leastWeightPath(const std::vector<double>& direct, const std::vector<double>& node,
                          const std::vector<double>& weight, const std::vector<Stretch>& stretches,
                          std::size_t first) {
  const std::size_t size = direct.size();
  PathTable table{direct, std::vector<std::uint32_t>(size, kNoParent)};
  std::vector<double> start(size);
  std::vector<CandidateQueue> queues;
  for (const Stretch& stretch : stretches)
    queues.emplace_back(start, weight, stretch);
  for (std::size_t n = 0; n < size; ++n) {
    for (CandidateQueue& queue : queues)
      if (const std::uint32_t from = queue.bestFor(n);
          from != kNoParent && queue.cost(from, n) < table.value[n]) {
        table.value[n] = queue.cost(from, n);
        table.parent[n] = from;
      }
    start[n] = table.value[n] + node[n];
    if (n >= first)
      for (CandidateQueue& queue : queues)
        queue.add(n);
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

std::vector<Stretch> convexStretches(const std::vector<double>& weight, std::size_t last) {
  const auto isConcaveBend = [&](std::size_t i) {
    const double bend = weight[i + 1] - 2.0 * weight[i] + weight[i - 1];
    return bend < -1e-9 * std::max(1.0, std::abs(weight[i + 1]));
  };
  std::vector<Stretch> stretches;
  for (std::size_t begin = 1, end; begin <= last; begin = end + 1) {
    end = begin;
    while (end < last && (end == begin || !isConcaveBend(end)))
      ++end;
    stretches.push_back({begin, end});
  }
  return stretches;
}

} // namespace spillway::plan
