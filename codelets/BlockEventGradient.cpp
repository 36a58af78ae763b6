// EventGradient for the events of several steps, on a machine with one worker per tile: a row of
// the gradient, which no cache has kept, is then read and written once for all of them. Where units
// sent to most samples, eight rows are added to at a time. The order of summation, and so every
// bit, is EventGradient's: a sample that a unit did not send to adds 0.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventUnion.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class BlockEventGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit
  Input<Vector<unsigned, VectorLayout::SPAN>> begins;     // as TurnBlock made them
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entryPlaces;
  Input<Vector<float, VectorLayout::ONE_PTR>> entryValues;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;   // [room][sample][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [id][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> values;   // [room][sample][kUnited]; scratch

  const unsigned columns;
  const unsigned samples;
  const unsigned room; // steps of errors

  bool compute(unsigned) {
    const unsigned places = errorCount(control, room) * samples;
    const unsigned numIds = places == 0 ? 0 : static_cast<unsigned>(begins.size()) - 1;
    unsigned busy[kUnited], found = 0;
    for (unsigned id = 0; id < numIds; ++id) {
      if (isBusy(id, places)) {
        busy[found++] = id;
      }
      if (found == kUnited) {
        addTogether(busy, places);
        found = 0;
      }
    }
    // Few columns at a time, where the errors of those stay in the nearest cache.
    const unsigned block = places * kColumns <= kNearFloats ? kColumns : columns;
    for (unsigned first = 0; first < columns; first += block) {
      const unsigned count = columns - first < block ? columns - first : block;
      for (unsigned id = 0; id < numIds; ++id) {
        if (!isBusy(id, places) && begins[id] != begins[id + 1]) {
          addRow(id, first, count);
        }
      }
      for (unsigned i = 0; i < found; ++i) {
        addRow(busy[i], first, count);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long ids = begins.size() - 1;
    const unsigned long events = errorCount(control, room) == 0 ? 0 : begins[ids];
    return tileCycles((12 * ids + events * eventInstructions(columns)) / kWorkers + 20);
  }

private:
  static constexpr unsigned kColumns = kWidestRow / 2, kNearFloats = 10240;

  bool isBusy(unsigned id, unsigned places) const {
    return 2 * (begins[id + 1] - begins[id]) >= places;
  }

  void addRow(unsigned id, unsigned firstColumn, unsigned numColumns) {
    const unsigned long stride = columns;
    const unsigned begin = begins[id], count = begins[id + 1] - begin;
    const unsigned short* places = &entryPlaces[begin];
    const float* factors = &entryValues[begin];
    float* row = &gradient[id * stride + firstColumn];
    fetchToWrite(row + kRowsAhead * stride, numColumns);
    forEachSum(numColumns, [&](auto sum, unsigned first) {
      const float* error = &errors[firstColumn + first];
      sum.load(row + first);
      for (unsigned k = 0; k < count; ++k) {
        sum.add(factors[k], error + places[k] * stride);
      }
      sum.store(row + first);
    });
  }

  // Rows follow one another, but the host does not look as far ahead as main memory is away.
  static constexpr unsigned long kRowsAhead = 8;

  void addTogether(const unsigned* ids, unsigned places) {
    float* factors = &values[0];
    for (unsigned i = 0; i < places * kUnited; ++i) {
      factors[i] = 0.0f;
    }
    for (unsigned r = 0; r < kUnited; ++r) {
      const unsigned end = begins[ids[r] + 1];
      for (unsigned k = begins[ids[r]]; k < end; ++k) {
        factors[entryPlaces[k] * kUnited + r] = entryValues[k];
      }
    }
    const unsigned long stride = columns;
    forEachUnionBlock(columns, [&](auto block, unsigned first) {
      decltype(block) sums[kUnited];
#pragma clang loop unroll(full)
      for (unsigned r = 0; r < kUnited; ++r) {
        sums[r].load(&gradient[ids[r] * stride + first]);
      }
      const float* error = &errors[first];
#pragma clang loop unroll(disable)
      for (unsigned p = 0; p < places; ++p) {
#pragma clang loop unroll(full)
        for (unsigned r = 0; r < kUnited; ++r) {
          sums[r].add(factors[p * kUnited + r], error + p * stride);
        }
      }
#pragma clang loop unroll(full)
      for (unsigned r = 0; r < kUnited; ++r) {
        sums[r].store(&gradient[ids[r] * stride + first]);
      }
    });
  }
};
