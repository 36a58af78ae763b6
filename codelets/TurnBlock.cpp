// The lists of several steps turned round, once for all tiles, on a machine whose vertices read the
// history of lists in place: for every id, where among the errors that wait the samples and steps
// are in which it sent an event. What BlockEventGradient reads; or of all steps, what
// SequenceGradient does. Entries stand in the order in which a gradient adds them: steps
// descending.
#include "maths/Control.hpp"
#include "maths/Dropout.hpp"
#include "maths/StoredLists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class TurnBlock : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit that received the lists
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Vector<Input<Vector<Id, VectorLayout::ONE_PTR, 8>>> history; // see maths/StoredLists.hpp
  Vector<Input<Vector<unsigned, VectorLayout::ONE_PTR>>> begins;
  Output<Vector<unsigned, VectorLayout::SPAN>> turned; // of every id's entries, and the end of all
  // step * samples + sample; of errors that wait, the latest step is the first one.
  Output<Vector<unsigned short, VectorLayout::ONE_PTR>> entryPlaces;
  Output<Vector<float, VectorLayout::ONE_PTR>> entryValues;

  const unsigned room;     // steps of errors that wait
  const unsigned allSteps; // of the sequence; 0: only those that wait
  const unsigned samples;
  const unsigned samplesPerShard; // the last may have fewer
  const unsigned width, capacity;
  const bool appended;
  const unsigned firstIndex; // of the history, for step 0
  const unsigned dropoutStream;
  const float dropout; // of what the unit receives

  bool compute() {
    const unsigned steps = numSteps();
    if (steps == 0) {
      return true;
    }
    const unsigned ids = numIds();
    unsigned* ends = &turned[0];
    for (unsigned id = 0; id <= ids; ++id) {
      ends[id] = 0;
    }
    forEachEvent(steps, [&](unsigned, unsigned id, float) { ++ends[id]; });
    unsigned total = 0;
    for (unsigned id = 0; id <= ids; ++id) {
      total += ends[id];
      ends[id] = total; // which filling from the back turns into the begin
    }
    unsigned short* places = &entryPlaces[0];
    float* values = &entryValues[0];
    forEachEvent(steps, [&](unsigned place, unsigned id, float value) {
      const unsigned at = --ends[id];
      places[at] = static_cast<unsigned short>(place);
      values[at] = value;
    });
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long lists = static_cast<unsigned long>(numSteps()) * samples;
    return 50 + 5ul * (numIds() + 1) + 16 * lists * capacity;
  }

private:
  unsigned numIds() const { return static_cast<unsigned>(turned.size()) - 1; }
  unsigned numSteps() const { return allSteps != 0 ? allSteps : errorCount(control, room); }

  // f(place among the errors, id, value) of the events that dropout leaves, from the one on that is
  // added last.
  template <class F>
  void forEachEvent(unsigned steps, const F& f) {
    const ValueMask mask = maskOfBatch(phase, dropoutStream, numIds(), dropout);
    const unsigned first = allSteps != 0 ? 0 : control[kFirstStep] + control[kHistoryOffset];
    for (unsigned next = steps * samples; next-- > 0;) {
      const unsigned sample = next % samples, step = steps - 1 - next / samples;
      const unsigned place = allSteps != 0 ? step * samples + sample : next;
      const List<Id> list = storedList<Id>(*this, first + step + firstIndex, sample);
      const Id* ids = list.ids();
      const ListValue* values = list.values(storedCapacity(*this));
      for (unsigned k = 0; k < list.numSpikes(); ++k) {
        const float scale = mask.scale(sample, ids[k]);
        if (scale != 0.0f) {
          f(place, ids[k], scale * values[k]);
        }
      }
    }
  }
};

template class TurnBlock<unsigned short>;
template class TurnBlock<unsigned>;
