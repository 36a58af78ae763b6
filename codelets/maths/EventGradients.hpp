// Rows of a weight gradient that add up errors, each times the value of an event.
#pragma once

#include "maths/EventUnion.hpp"

namespace spillway {

// Errors of a gated layer, [place][column]: columns from `split` on lie `gap` floats further on.
struct ErrorRows {
  const float* first;
  unsigned long stride;
  unsigned columns, split, gap;

  // f(column, number of columns, errors of the first place) for columns that lie side by side.
  template <class F>
  void forEachRange(const F& f) const {
    f(0u, split, first);
    if (split < columns) {
      f(split, columns - split, first + split + gap);
    }
  }
};

// Events of a unit: where their errors are, and their values.
struct EventRow {
  const unsigned short* places;
  const float* values;
  unsigned count;
};

// row += sum over the events of value * errors, in their order.
inline void addEvents(EventRow events, const float* errors, unsigned long stride, unsigned columns,
                      float* row) {
  forEachSum(columns, [&](auto sum, unsigned first) {
    sum.load(row + first);
    for (unsigned k = 0; k < events.count; ++k) {
      sum.add(events.values[k], errors + events.places[k] * stride + first);
    }
    sum.store(row + first);
  });
}

// rows[r] += sum over places of factors[place][r] * errors, for kUnited rows; forEachPlace(f) calls
// f(place) in the order of summation.
template <class ForEachPlace>
inline void addTogether(const float* factors, const float* errors, unsigned long stride,
                        unsigned columns, const ForEachPlace& forEachPlace, float* const* rows) {
  forEachUnionBlock(columns, [&](auto block, unsigned first) {
    decltype(block) sums[kUnited];
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kUnited; ++r) {
      sums[r].load(rows[r] + first);
    }
    forEachPlace([&](unsigned place) __attribute__((always_inline)) {
#pragma clang loop unroll(full)
      for (unsigned r = 0; r < kUnited; ++r) {
        sums[r].add(factors[place * kUnited + r], errors + place * stride + first);
      }
    });
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kUnited; ++r) {
      sums[r].store(rows[r] + first);
    }
  });
}

// f(place) for all places of so many steps, as a gradient adds them up. Inlined, or the sums would
// go through memory.
struct StepsDescending {
  unsigned steps, samples;
  template <class F>
  __attribute__((always_inline)) void operator()(const F& f) const {
    for (unsigned step = steps; step-- > 0;) {
#pragma clang loop unroll(disable)
      for (unsigned sample = 0; sample < samples; ++sample) {
        f(step * samples + sample);
      }
    }
  }
};

// factors[place - first][r] = the value of unit r's event there, or 0; of so many places.
inline void spreadEvents(const EventRow* events, unsigned first, unsigned places, float* factors) {
  for (unsigned i = 0; i < places * kUnited; ++i) {
    factors[i] = 0.0f;
  }
  for (unsigned r = 0; r < kUnited; ++r) {
    for (unsigned k = 0; k < events[r].count; ++k) {
      factors[(events[r].places[k] - first) * kUnited + r] = events[r].values[k];
    }
  }
}

} // namespace spillway
