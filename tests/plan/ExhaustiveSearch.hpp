// The cheapest way to reverse a chain by trying everything, with no assumption on structure:
// Dijkstra over (states in slots, states in Streaming Memory, progress of the forward and of the
// backward pass).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

namespace spillway::plan {

struct SearchProblem {
  unsigned numSteps, numSlots;
  double forward, light, backward, write, read;
  unsigned remoteCapacity = 32;
};

inline double exhaustiveOptimum(const SearchProblem& p) {
  // Bit s of a mask: state s is there. State 0 always is, and takes no slot.
  using Node =
      std::tuple<std::uint32_t, std::uint32_t, unsigned, unsigned>; // slots, rows, done, next
  using Entry = std::pair<double, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::map<Node, double> distance;
  const auto visit = [&](double cost, std::uint32_t slots, std::uint32_t rows, unsigned done,
                         unsigned next) {
    // What is to be reversed next and is in a slot can be reversed at once; later states are of no
    // use.
    while (done == p.numSteps && next > 0 && (slots >> next & 1u)) {
      cost += p.backward;
      --next;
    }
    const std::uint32_t useful = next == 0 ? 0u : (2u << next) - 1u;
    if (done == p.numSteps) {
      slots &= useful;
      rows &= useful;
    }
    const Node node{slots, rows, done, next};
    const auto [it, isNew] = distance.try_emplace(node, cost);
    if (!isNew && it->second <= cost)
      return;
    it->second = cost;
    queue.push({cost, node});
  };
  visit(0.0, 0, 0, 0, p.numSteps);
  while (!queue.empty()) {
    const auto [cost, node] = queue.top();
    queue.pop();
    if (distance[node] < cost)
      continue;
    const auto [slots, rows, done, next] = node;
    if (next == 0)
      return cost;
    const unsigned inUse = static_cast<unsigned>(std::popcount(slots));
    for (unsigned s = 0; s <= p.numSteps; ++s) {
      const std::uint32_t bit = 1u << s;
      const bool inSlot = slots & bit;
      if ((s == 0 || inSlot) && s < p.numSteps && s <= done && !(slots & bit << 1)) {
        const double step = s == done ? p.forward : p.light;
        const unsigned nowDone = std::max(done, s + 1);
        if (inUse < p.numSlots)
          visit(cost + step, slots | bit << 1, rows, nowDone, next);
        if (inSlot)
          visit(cost + step, (slots & ~bit) | bit << 1, rows, nowDone, next);
      }
      if (inSlot) {
        visit(cost, slots & ~bit, rows, done, next);
        if (!(rows & bit) && static_cast<unsigned>(std::popcount(rows)) < p.remoteCapacity)
          visit(cost + p.write, slots, rows | bit, done, next);
      }
      if (rows & bit) {
        if (p.remoteCapacity < 32)
          visit(cost, slots, rows & ~bit, done, next);
        if (!inSlot && inUse < p.numSlots)
          visit(cost + p.read, slots | bit, rows, done, next);
      }
    }
  }
  return -1.0;
}

} // namespace spillway::plan
