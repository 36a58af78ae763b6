// Schedules whose transfers run beside compute: remote bases at nearly equal gaps, written as they
// are passed and fetched one segment ahead of the backward pass; binomial on chip inside each
// segment.
//
// Bases a_1 < ... < a_m go to Streaming Memory through the outgoing staging buffer and come back
// through the incoming one; the base after them stays in its slot. With c slots beside the two
// staging buffers, gaps d_i = a_{i+1} - a_i, C(d) = b d + r P(d-1, c-1), and P the binomial
// optimum:
//   before a_1   A(a) = f a + b (a-1) + r P(a-1, c)
//   gap i        max(f d, w) + max(C(d), rd)          (i = 1: no read of an earlier base to wait
//   for) the end      max(C(d_m), rd) + max(f d_m + tail(last), w + rd) tail(l) = f l + b (l+1) + r
//   (P(l, c-1) - l)
#pragma once

#include "plan/Costs.hpp"
#include "plan/Schedule.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::plan {

// Where the bases are. No gaps: everything on chip, which is revolve().
struct StreamedLayout {
  Step first = 0;         // a_1
  std::vector<Step> gaps; // d_1 .. d_m
  Step last = 0;          // steps after the base that stays
};

struct StreamedSchedule {
  StreamedLayout layout;
  Schedule schedule;
  double time = 0.0;       // of the model above; timeOf(schedule) is the same
  double lowerBound = 0.0; // overlappedLowerBound
};

// The time of a layout by the sums above. REQUIRES: first + gaps + last == T, first and gaps >= 1.
double streamedTime(const StreamedLayout& layout, std::uint32_t numSlots, const Costs& costs);

Schedule streamedSchedule(Step numSteps, const StreamedLayout& layout, std::uint32_t numSlots);

// The best layout: O(T log T), all terms being convex. With a capacity that binds, the best with
// exactly that many bases. numSlots does not count the two staging buffers. perAction is
// counted six times a base, and not inside segments. REQUIRES: T and slots at least 1, else
// UserError.
StreamedSchedule streamed(Step numSteps, std::uint32_t numSlots, const Costs& costs,
                          std::optional<std::uint32_t> remoteCapacity = std::nullopt);

} // namespace spillway::plan
