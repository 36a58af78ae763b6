// Weight gradients from events with values. With the lists turned round (TurnLists), a row of the
// gradient is read and written once a step, however many samples add to it.
//
// Each weight sums over steps in descending and samples in ascending order, on any number of
// workers: that is what makes all schedules bit-identical.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventProducts.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// gradient[id] += sum over the id's entries of value * errors[sample].
class EventGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit
  Input<Vector<unsigned, VectorLayout::SPAN>> begins;     // as TurnLists made them
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Input<Vector<float, VectorLayout::ONE_PTR>> entryValues;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;   // [sample][column]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [id][column]

  const unsigned columns;

  bool compute(unsigned worker) {
    if (control[kNumSteps] == 0) {
      return true;
    }
    const Slice ids = workerSlice(begins.size() - 1, worker, numWorkers());
    forEachRowBlock(columns, [&](auto blockWidth, unsigned first) {
      addColumns<decltype(blockWidth)::value>(ids, first);
    });
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long ids = begins.size() - 1;
    const unsigned long events = control[kNumSteps] == 0 ? 0 : begins[static_cast<unsigned>(ids)];
    return tileCycles((12 * ids + events * eventInstructions(columns)) / kWorkers + 20);
  }

private:
  template <unsigned W>
  void addColumns(Slice ids, unsigned first) {
#pragma clang fp contract(fast)
    for (unsigned long id = ids.begin; id < ids.end; ++id) {
      const unsigned begin = begins[id], end = begins[id + 1];
      if (begin == end) {
        continue;
      }
      float* to = &gradient[id * columns + first];
      Row<W> sum = loadRow<W>(to);
      for (unsigned k = begin; k < end; ++k) {
        sum = sum + Row<W>(entryValues[k]) *
                        loadRow<W>(
                            &errors[static_cast<unsigned long>(entrySamples[k]) * columns + first]);
      }
      storeRow<W>(to, sum);
    }
  }
};

// gradient += sum over samples of errors[sample].
class BiasGradient : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors; // [sample][column]
  InOut<Vector<float, VectorLayout::SPAN, 8>> gradient;  // [column]
  const unsigned samples;
  const unsigned room; // steps of errors

  bool compute() {
    const unsigned columns = static_cast<unsigned>(gradient.size());
    const unsigned long place = errorPlace(control, room);
    if (control[kNumSteps] == 0) {
      return true;
    }
    forEachRowBlock(columns, [&](auto blockWidth, unsigned first) {
      constexpr unsigned W = decltype(blockWidth)::value;
      const float* error = &errors[place * samples * columns + first];
      Row<W> sum = loadRow<W>(&gradient[first]);
      for (unsigned long sample = 0; sample < samples; ++sample) {
        sum = sum + loadRow<W>(error + sample * columns);
      }
      storeRow<W>(&gradient[first], sum);
    });
    return true;
  }

  unsigned long estimateCycles() const {
    return 20 + (control[kNumSteps] == 0 ? 0 : samples * (5 + 3 * gradient.size() / 2));
  }
};
