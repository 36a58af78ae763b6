#include "plan/Binomial.hpp"

#include "plan/Require.hpp"
#include "plan/ScheduleBuilder.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::plan {

namespace {

// The least rho with C(s+rho, rho) >= size, and that binomial coefficient with its two predecessors
// in rho. Intermediate products stay below size * (s + rho) < 2^64.
struct Repetition {
  std::uint64_t rho = 0;
  std::uint64_t reach = 1, previous = 0, beforePrevious = 0;
};

// With one or two slots rho grows with the size or its root; then there is a closed form.
Repetition repetitionOfFewSlots(std::uint64_t size, std::uint64_t s) {
  const auto reach = [s](std::uint64_t rho) { // C(s+rho, rho)
    return s == 1 ? rho + 1 : (rho + 1) * (rho + 2) / 2;
  };
  std::uint64_t rho =
      s == 1 ? size - 1 : static_cast<std::uint64_t>(std::sqrt(2.0 * static_cast<double>(size)));
  while (rho > 0 && reach(rho - 1) >= size)
    --rho;
  return {rho, reach(rho), rho > 0 ? reach(rho - 1) : 0, rho > 1 ? reach(rho - 2) : 0};
}

Repetition repetitionFor(std::uint64_t size, std::uint64_t s) {
  if (s == 1 || s == 2)
    return repetitionOfFewSlots(size, s);
  Repetition result;
  while (result.reach < size) {
    ++result.rho;
    result.beforePrevious = result.previous;
    result.previous = result.reach;
    result.reach = result.reach * (s + result.rho) / result.rho;
  }
  return result;
}

// How far the first run of (n, s) goes. Every length in an interval is optimal; the longest leaves
// the fewest actions.
Step firstRun(Step numStates, std::uint32_t s) {
  const std::uint64_t size = std::uint64_t{numStates} + 1;
  const Repetition here = repetitionFor(size, s);
  // C(s-1+rho-1, rho-1) = C(s+rho-1, rho-1) - C(s+rho-2, rho-2): the least size the part after the
  // run may have.
  const std::uint64_t leastAfter = here.previous - here.beforePrevious;
  return static_cast<Step>(std::min(here.previous, size - leastAfter));
}

struct Part {
  Step base;
  Slot slot;
  Step numStates; // 0: the backward of state `base` itself
  std::uint32_t numSlots;
  ActionKind kind;
};

} // namespace

std::uint64_t binomialSteps(std::uint64_t numStates, std::uint64_t numSlots) {
  if (numStates == 0)
    return 0;
  const Repetition all = repetitionFor(numStates + 1, numSlots);
  // C(s+rho, rho-1) = C(s+rho, rho) * rho / (s+1).
  return all.rho * (numStates + 1) - all.reach * all.rho / (numSlots + 1);
}

std::vector<double> binomialTable(Step maxStates, std::uint32_t numSlots) {
  std::vector<double> table(std::size_t{maxStates} + 1, 0.0);
  std::uint64_t rho = 0, reach = 1;
  for (std::size_t n = 1; n < table.size(); ++n) {
    while (numSlots > 0 && reach < n + 1) {
      ++rho;
      reach = reach * (numSlots + rho) / rho;
    }
    table[n] = table[n - 1] + (numSlots == 0 ? kImpossible : static_cast<double>(rho));
  }
  return table;
}

void reverseBinomial(ScheduleBuilder& out, Step base, Slot baseSlot, Step numStates,
                     std::uint32_t numSlots, ActionKind first) {
  if (numStates == 0)
    return;
  std::vector<Part> stack{{base, baseSlot, numStates, numSlots, first}};
  while (!stack.empty()) {
    const Part part = stack.back();
    stack.pop_back();
    if (part.numStates == 0) {
      out.backwardOfStates(part.base, part.base, part.slot);
    } else if (part.numStates <= part.numSlots) {
      out.run(part.kind, part.base, part.base + part.numStates, Keep::All, part.slot,
              part.slot + 1);
      out.backwardOfStates(part.base + 1, part.base + part.numStates, part.slot + 1);
    } else {
      const Step length = firstRun(part.numStates, part.numSlots);
      const Step middle = part.base + length;
      out.run(part.kind, part.base, middle, Keep::Last, part.slot, part.slot + 1);
      if (length > 1)
        stack.push_back({part.base, part.slot, length - 1, part.numSlots, ActionKind::Light});
      stack.push_back({middle, part.slot + 1, 0, 0, part.kind});
      if (length < part.numStates)
        stack.push_back(
            {middle, part.slot + 1, part.numStates - length, part.numSlots - 1, part.kind});
    }
  }
}

Schedule revolve(Step numSteps, std::uint32_t numSlots) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("slots", numSlots);
  ScheduleBuilder out;
  reverseBinomial(out, 0, kInitialState, numSteps, std::min(numSlots, numSteps),
                  ActionKind::Forward);
  return std::move(out).finish(numSteps);
}

std::uint32_t slotsForRepeats(Step numSteps, std::uint32_t repeats) {
  const std::uint64_t size = std::uint64_t{numSteps} + 1;
  std::uint32_t low = 1, high = numSteps;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (repetitionFor(size, middle).rho <= std::uint64_t{repeats} + 1)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

} // namespace spillway::plan
