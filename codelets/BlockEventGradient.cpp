// EventGradient for the events of several steps, on a machine with one worker per tile: a row of
// the gradient, which no cache has kept, is then read and written once for all of them. Where units
// sent to most samples, four rows are added to at a time. The order of summation, and so every bit,
// is EventGradient's: a sample that a unit did not send to adds 0.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventUnion.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

typedef unsigned __attribute__((may_alias)) EventPlace; // among floats

class BlockEventGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit
  // As TurnLists made them, [room] of each.
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> begins;
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Input<Vector<float, VectorLayout::ONE_PTR>> entryValues;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;   // [room][sample][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [id][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> values;   // [room][sample][kTogether]; scratch

  const unsigned numIds;
  const unsigned columns;
  const unsigned samples, capacity;
  const unsigned room; // steps of errors

  bool compute(unsigned) {
    const unsigned steps = errorCount(control, room);
    unsigned busy[kTogether], found = 0;
    for (unsigned id = 0; steps != 0 && id < numIds; ++id) {
      const unsigned long events = eventsOf(id, steps);
      if (2 * events >= static_cast<unsigned long>(steps) * samples) {
        busy[found++] = id;
      } else if (events != 0) {
        addRow(id, steps);
      }
      if (found == kTogether) {
        addTogether(busy, steps);
        found = 0;
      }
    }
    for (unsigned i = 0; i < found; ++i) {
      addRow(busy[i], steps);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long events = 0;
    for (unsigned j = 0; j < errorCount(control, room); ++j) {
      events += begins[j * (numIds + 1) + numIds];
    }
    return tileCycles((12ul * numIds + events * eventInstructions(columns)) / kWorkers + 20);
  }

private:
  unsigned long eventsOf(unsigned id, unsigned steps) const {
    const unsigned* at = &begins[id];
    unsigned long events = 0;
    for (unsigned j = 0; j < steps; ++j, at += numIds + 1) {
      events += at[1] - at[0];
    }
    return events;
  }

  // f(place among the errors, value) for the events of an id, in the order in which they are added.
  template <class F>
  void forEachEventOf(unsigned id, unsigned steps, const F& f) const {
    const unsigned *at = &begins[id], next = numIds + 1, perStep = samples;
    const unsigned short* from = &entrySamples[0];
    const float* factors = &entryValues[0];
    const unsigned long perRoom = static_cast<unsigned long>(samples) * capacity;
    for (unsigned j = 0; j < steps; ++j, at += next, from += perRoom, factors += perRoom) {
      const unsigned end = at[1];
      for (unsigned k = at[0]; k < end; ++k) {
        f(j * perStep + from[k], factors[k]);
      }
    }
  }

  // One after the other first, so that the loops over columns know their length.
  void addRow(unsigned id, unsigned steps) {
    float* factors = &values[0];
    EventPlace* places =
        reinterpret_cast<EventPlace*>(factors + static_cast<unsigned long>(steps) * samples);
    unsigned count = 0;
    forEachEventOf(id, steps, [&](unsigned place, float value) {
      factors[count] = value;
      places[count++] = place;
    });
    const unsigned long stride = columns;
    forEachSum(columns, [&](auto sum, unsigned first) {
      const float* error = &errors[first];
      float* to = &gradient[id * stride + first];
      sum.load(to);
      for (unsigned k = 0; k < count; ++k) {
        sum.add(factors[k], error + places[k] * stride);
      }
      sum.store(to);
    });
  }

  void addTogether(const unsigned* ids, unsigned steps) {
    const unsigned places = steps * samples;
    float* factors = &values[0];
    for (unsigned i = 0; i < places * kTogether; ++i) {
      factors[i] = 0.0f;
    }
    for (unsigned r = 0; r < kTogether; ++r) {
      forEachEventOf(ids[r], steps,
                     [&](unsigned place, float value) { factors[place * kTogether + r] = value; });
    }
    forEachRowBlock<kUnionRow>(columns, [&](auto blockWidth, unsigned first) {
      addColumns<decltype(blockWidth)::value>(ids, places, first);
    });
  }

  template <unsigned W>
  void addColumns(const unsigned* ids, unsigned places, unsigned first) {
#pragma clang fp contract(fast)
    const float *factors = &values[0], *error = &errors[first];
    const unsigned long stride = columns;
    Row<W> sums[kTogether];
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kTogether; ++r) {
      sums[r] = loadRow<W>(&gradient[ids[r] * stride + first]);
    }
#pragma clang loop unroll(disable)
    for (unsigned p = 0; p < places; ++p) {
      const Row<W> row = loadRow<W>(error + p * stride);
#pragma clang loop unroll(full)
      for (unsigned r = 0; r < kTogether; ++r) {
        sums[r] = sums[r] + Row<W>(factors[p * kTogether + r]) * row;
      }
    }
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kTogether; ++r) {
      storeRow<W>(&gradient[ids[r] * stride + first], sums[r]);
    }
  }
};
