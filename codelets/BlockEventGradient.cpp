// EventGradient for the events of several steps, on a machine with one worker per tile: a row of
// the gradient, which no cache has kept, is then read and written once for all of them. Where units
// sent to most samples, eight rows are added to at a time. The order of summation, and so every
// bit, is EventGradient's: a sample that a unit did not send to adds 0.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventGradients.hpp"

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
        addRowsTogether(busy, places);
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
    float* row = &gradient[id * static_cast<unsigned long>(columns) + firstColumn];
    fetchToWrite(row + kRowsAhead * columns, numColumns);
    addEvents(eventsOf(id), &errors[firstColumn], columns, numColumns, row);
  }

  EventRow eventsOf(unsigned id) const {
    const unsigned begin = begins[id];
    return {&entryPlaces[begin], &entryValues[begin], begins[id + 1] - begin};
  }

  // Rows follow one another, but the host does not look as far ahead as main memory is away.
  static constexpr unsigned long kRowsAhead = 8;

  void addRowsTogether(const unsigned* ids, unsigned places) {
    EventRow events[kUnited];
    float* rows[kUnited];
    for (unsigned r = 0; r < kUnited; ++r) {
      events[r] = eventsOf(ids[r]);
      rows[r] = &gradient[ids[r] * static_cast<unsigned long>(columns)];
    }
    spreadEvents(events, 0, places, &values[0]);
    const auto forEachPlace = [&](const auto& f) __attribute__((always_inline)) {
#pragma clang loop unroll(disable)
      for (unsigned place = 0; place < places; ++place) {
        f(place);
      }
    };
    addTogether(&values[0], &errors[0], columns, columns, forEachPlace, rows);
  }
};
