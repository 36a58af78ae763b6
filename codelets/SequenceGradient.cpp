// The gradient of some rows of a gated layer's weights, where the errors of all steps are known, on
// a machine with one worker per tile: what BlockEventGradient adds to it block by block, at once.
// Rows wait in the second-level cache, beside the errors of so many steps as fit there too, and
// those of a few steps and columns in the nearest one. Where units sent to most samples, eight rows
// are added to at a time. The order of summation, and so every bit, is EventGradient's.
#include "maths/Cycles.hpp"
#include "maths/EventGradients.hpp"
#include "maths/Fetcher.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class SequenceGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::SPAN>> begins; // as TurnBlock made them, of these rows
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entryPlaces; // step * samples + sample
  Input<Vector<float, VectorLayout::ONE_PTR>> entryValues;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;    // [place][errorColumns]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [row][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> scratch;   // [place][kUnited]

  const unsigned columns, samples, steps;
  const unsigned errorColumns, split, gap; // as in ErrorRows

  bool compute(unsigned) {
    for (unsigned begin = 0; begin < numRows(); begin += kRowsAtOnce) {
      const unsigned left = numRows() - begin;
      sumRows(begin, left < kRowsAtOnce ? left : kRowsAtOnce);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long events = begins[numRows()] - begins[0];
    return tileCycles((12ul * numRows() + events * eventInstructions(columns)) / kWorkers + 20);
  }

private:
  static constexpr unsigned kRowsAtOnce = 512;
  static constexpr unsigned long kRowsAhead = 4;
  static constexpr unsigned kFarFloats = 1u << 17; // of errors, in the second-level cache
  static constexpr unsigned kNearFloats = 10240, kNearColumns = kWidestRow; // in the nearest

  // Rows, and their events of the steps at work: events stand in the order of summation.
  struct Rows {
    unsigned first[kRowsAtOnce], begin[kRowsAtOnce], end[kRowsAtOnce];
    unsigned count = 0;
    void add(unsigned row, unsigned firstEvent) {
      first[count] = row;
      end[count++] = firstEvent;
    }
  };

  unsigned numRows() const { return static_cast<unsigned>(begins.size()) - 1; }
  bool isBusy(unsigned row) const {
    return 2ul * (begins[row + 1] - begins[row]) >= static_cast<unsigned long>(steps) * samples;
  }
  ErrorRows errorRows() const { return {&errors[0], errorColumns, columns, split, gap}; }
  float* gradientOf(unsigned row) { return &gradient[1ul * row * columns]; }
  static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
  // Steps of whose errors so many floats, `width` a place, are.
  unsigned stepsOf(unsigned floats, unsigned width) const {
    const unsigned fitting = floats / (width * samples);
    return fitting == 0 ? 1 : fitting;
  }

  void sumRows(unsigned begin, unsigned count) {
    Rows busy, others;
    for (unsigned row = begin; row < begin + count; ++row) {
      float* to = gradientOf(row);
      fetchToWrite(to + kRowsAhead * columns, columns);
      for (unsigned c = 0; c < columns; ++c) {
        to[c] = 0.0f;
      }
      (isBusy(row) ? busy : others).add(row, begins[row]);
    }
    while (busy.count % kUnited != 0) { // rows that no group is left for
      --busy.count;
      others.add(busy.first[busy.count], busy.end[busy.count]);
    }
    const unsigned far = stepsOf(kFarFloats, columns), near = stepsOf(kNearFloats, kNearColumns);
    for (unsigned end = steps; end > 0;) {
      const unsigned farBegin = end - least(end, far);
      goOnTo(busy, farBegin);
      for (unsigned r = 0; r < busy.count; r += kUnited) {
        addTogetherFrom(busy, r, farBegin, end);
      }
      while (end > farBegin) {
        end -= least(end - farBegin, near);
        goOnTo(others, end);
        addEach(others, end - least(end, near), end);
      }
    }
  }

  // The events before those at work, from `step` on.
  void goOnTo(Rows& rows, unsigned step) const {
    const unsigned short* places = &entryPlaces[0];
    const unsigned firstPlace = step * samples;
    for (unsigned r = 0; r < rows.count; ++r) {
      const unsigned last = begins[rows.first[r] + 1];
      unsigned at = rows.begin[r] = rows.end[r];
      while (at < last && places[at] >= firstPlace) {
        ++at;
      }
      rows.end[r] = at;
    }
  }

  EventRow eventsOf(const Rows& rows, unsigned r) const {
    const unsigned begin = rows.begin[r];
    return {&entryPlaces[begin], &entryValues[begin], rows.end[r] - begin};
  }

  void addTogetherFrom(const Rows& rows, unsigned next, unsigned firstStep, unsigned endStep) {
    EventRow events[kUnited];
    for (unsigned r = 0; r < kUnited; ++r) {
      events[r] = eventsOf(rows, next + r);
    }
    const unsigned firstPlace = firstStep * samples;
    spreadEvents(events, firstPlace, endStep * samples - firstPlace, &scratch[0]);
    errorRows().forEachRange([&](unsigned first, unsigned count, const float* from) {
      float* to[kUnited];
      for (unsigned r = 0; r < kUnited; ++r) {
        to[r] = gradientOf(rows.first[next + r]) + first;
      }
      addTogether(&scratch[0], from + 1ul * firstPlace * errorColumns, errorColumns, count,
                  StepsDescending{endStep - firstStep, samples}, to);
    });
  }

  // nextBegin, nextEnd: the steps at work next, whose errors are asked for meanwhile.
  void addEach(const Rows& rows, unsigned nextBegin, unsigned nextEnd) {
    const unsigned long perStep = 1ul * samples * errorColumns;
    Fetcher next(&errors[nextBegin * perStep], &errors[nextEnd * perStep], 3 * rows.count);
    errorRows().forEachRange([&](unsigned first, unsigned count, const float* from) {
      for (unsigned c = 0; c < count; c += kNearColumns) {
        for (unsigned r = 0; r < rows.count; ++r) {
          next.fetchSome();
          if (rows.begin[r] != rows.end[r]) {
            addEvents(eventsOf(rows, r), from + c, errorColumns, least(count - c, kNearColumns),
                      gradientOf(rows.first[r]) + first + c);
          }
        }
      }
    });
  }
};
