// The lists of all samples turned round, once for all tiles: for every id, the samples in which it
// sent an event.
#include "maths/Control.hpp"
#include "maths/Dropout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class TurnLists : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit that received the lists
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // [sample][row][width]
  Output<Vector<unsigned, VectorLayout::SPAN>> begins; // of every id's entries, and the end of all
  Output<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Output<Vector<float, VectorLayout::ONE_PTR>> entryValues;

  const unsigned samples;
  const unsigned rows, width, capacity;
  const unsigned fromOwn; // 1: the unit's own list, of the step before, in row 0
  const unsigned dropoutStream;
  const float dropout; // of what the unit receives

  bool compute() {
    if (control[kNumSteps] == 0) {
      return true;
    }
    const unsigned ids = numIds();
    unsigned* ends = &begins[0];
    for (unsigned id = 0; id <= ids; ++id) {
      ends[id] = 0;
    }
    for (unsigned sample = 0; sample < samples; ++sample) {
      forEachEvent(sample, [&](unsigned id, float) { ++ends[id]; });
    }
    unsigned total = 0;
    for (unsigned id = 0; id <= ids; ++id) {
      total += ends[id];
      ends[id] = total; // which filling from the back turns into the begin
    }
    fill(ends);
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long events = 0;
    for (unsigned sample = 0; control[kNumSteps] != 0 && sample < samples; ++sample) {
      events += lists[SlabShape{rows, width}.at(sample, row())];
    }
    return 50 + 5ul * (numIds() + 1) + 16 * events; // a count, then an entry, for every event
  }

private:
  unsigned numIds() const { return static_cast<unsigned>(begins.size()) - 1; }
  unsigned row() const { return fromOwn != 0 ? 0 : control[kListRow]; }

  // Events that dropout leaves, with their values.
  template <class F>
  void forEachEvent(unsigned sample, const F& f) {
    const ValueMask mask = maskOfBatch(phase, dropoutStream, numIds(), dropout);
    const List<Id> list{&lists[SlabShape{rows, width}.at(sample, row())]};
    for (unsigned k = 0; k < list.numSpikes(); ++k) {
      const float scale = mask.scale(sample, list.ids()[k]);
      if (scale != 0.0f) {
        f(list.ids()[k], scale * list.values(capacity)[k]);
      }
    }
  }

  // From the last sample, so that the entries of an id ascend by sample.
  void fill(unsigned* ends) {
    for (unsigned sample = samples; sample-- > 0;) {
      forEachEvent(sample, [&](unsigned id, float value) {
        const unsigned at = --ends[id];
        entrySamples[at] = static_cast<unsigned short>(sample);
        entryValues[at] = value;
      });
    }
  }
};

template class TurnLists<unsigned short>;
template class TurnLists<unsigned>;
