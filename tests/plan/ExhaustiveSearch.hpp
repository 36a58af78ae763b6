// The cheapest way to reverse a chain by trying everything, with no assumption on structure: A*
// over (states in slots, states in Streaming Memory, progress of the forward and of the backward
// pass).
#pragma once

#include <bit>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

namespace spillway::plan {

struct SearchProblem {
  unsigned numSteps, numSlots; // at most 20 steps
  double forward, light, backward, write, read;
  unsigned remoteCapacity = 32;
};

class ExhaustiveSearch {
public:
  explicit ExhaustiveSearch(const SearchProblem& problem) : p_(problem) {}

  double optimum() {
    visit(0.0, {0, 0, 0, p_.numSteps});
    while (!queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      const Node node = unpack(entry.key);
      if (node.next == 0)
        return entry.cost;
      if (cost_[entry.key] == entry.cost)
        expand(entry.cost, node);
    }
    return -1.0;
  }

private:
  // Bit s of a mask: state s is there. State 0 always is, and takes no slot.
  struct Node {
    std::uint32_t slots, rows;
    unsigned done, next; // first executions; the state to be reversed next
  };
  struct Entry {
    double bound, cost; // bound: of every way from here
    std::uint64_t key;
    bool operator<(const Entry& other) const { return bound > other.bound; }
  };

  static std::uint64_t pack(const Node& n) {
    return std::uint64_t{n.slots} | std::uint64_t{n.rows} << 21 | std::uint64_t{n.done} << 42 |
           std::uint64_t{n.next} << 47;
  }
  static Node unpack(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key & 0x1fffff),
            static_cast<std::uint32_t>(key >> 21 & 0x1fffff), static_cast<unsigned>(key >> 42 & 31),
            static_cast<unsigned>(key >> 47 & 31)};
  }

  void visit(double cost, Node n) {
    // What is to be reversed next and is in a slot can be reversed at once; later states are of no
    // use.
    while (n.done == p_.numSteps && n.next > 0 && (n.slots >> n.next & 1u)) {
      cost += p_.backward;
      --n.next;
    }
    if (n.done == p_.numSteps) {
      const std::uint32_t useful = n.next == 0 ? 0u : (2u << n.next) - 1u;
      n.slots &= useful;
      n.rows &= useful;
    }
    const std::uint64_t key = pack(n);
    const auto [it, isNew] = cost_.try_emplace(key, cost);
    if (!isNew && it->second <= cost)
      return;
    it->second = cost;
    queue_.push({cost + atLeast(n), cost, key});
  }

  // What every way from here costs besides: a state that is not in a slot is run again or read, and
  // of those that are or will be not all can stay.
  double atLeast(const Node& n) const {
    double bound = p_.forward * (p_.numSteps - n.done) + p_.backward * n.next;
    const double back = p_.light < p_.read ? p_.light : p_.read;
    unsigned held = p_.numSteps - n.done;
    for (unsigned s = 1; s <= n.done && s <= n.next; ++s) {
      if (n.slots >> s & 1u)
        ++held;
      else
        bound += n.rows >> s & 1u ? back : p_.light;
    }
    return bound + (held > p_.numSlots ? (held - p_.numSlots) * back : 0.0);
  }

  // `n` with state s in a slot: in a free one, or in any other's place.
  void place(double cost, Node n, std::uint32_t bit) {
    if (static_cast<unsigned>(std::popcount(n.slots)) < p_.numSlots) {
      n.slots |= bit;
      return visit(cost, n);
    }
    for (std::uint32_t left = n.slots; left != 0; left &= left - 1) {
      Node instead = n;
      instead.slots = (n.slots & ~(left & -left)) | bit;
      visit(cost, instead);
    }
  }

  void expand(double cost, const Node& n) {
    for (unsigned s = 0; s <= p_.numSteps; ++s) {
      const std::uint32_t bit = 1u << s;
      const bool inSlot = n.slots & bit;
      if ((s == 0 || inSlot) && s < p_.numSteps && s <= n.done && !(n.slots & bit << 1)) {
        Node stepped = n;
        stepped.done = n.done > s + 1 ? n.done : s + 1;
        place(cost + (s == n.done ? p_.forward : p_.light), stepped, bit << 1);
      }
      if (inSlot && !(n.rows & bit))
        write(cost, n, bit);
      if ((n.rows & bit) && !inSlot)
        place(cost + p_.read, n, bit);
    }
  }

  // To a free row, or in the place of another.
  void write(double cost, const Node& n, std::uint32_t bit) {
    if (static_cast<unsigned>(std::popcount(n.rows)) < p_.remoteCapacity)
      return visit(cost + p_.write, {n.slots, n.rows | bit, n.done, n.next});
    for (std::uint32_t left = n.rows; left != 0; left &= left - 1)
      visit(cost + p_.write, {n.slots, (n.rows & ~(left & -left)) | bit, n.done, n.next});
  }

  SearchProblem p_;
  std::priority_queue<Entry> queue_;
  std::unordered_map<std::uint64_t, double> cost_;
};

inline double exhaustiveOptimum(const SearchProblem& problem) {
  return ExhaustiveSearch(problem).optimum();
}

} // namespace spillway::plan
