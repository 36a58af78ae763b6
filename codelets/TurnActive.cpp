// All active ids of a step's lists turned round, once for all tiles: what RowProduct reads.
#include "maths/Control.hpp"
#include "maths/Lists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// For every id, the samples it is active in and its place in their lists.
template <typename Id>
class TurnActive : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit that received the lists
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // [sample][row][width]
  Output<Vector<unsigned, VectorLayout::SPAN>> begins; // of every id's entries, and the end of all
  Output<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> entryPlaces; // sample * capacity + place

  const unsigned samples;
  const unsigned rows, width, capacity;

  bool compute() {
    if (control[kNumSteps] == 0) {
      return true;
    }
    const unsigned ids = static_cast<unsigned>(begins.size()) - 1;
    unsigned* ends = &begins[0];
    for (unsigned id = 0; id <= ids; ++id) {
      ends[id] = 0;
    }
    for (unsigned sample = 0; sample < samples; ++sample) {
      const List<Id> list = listOf(sample);
      for (unsigned k = 0; k < list.numActive(); ++k) {
        ++ends[list.ids()[k]];
      }
    }
    unsigned total = 0;
    for (unsigned id = 0; id <= ids; ++id) {
      total += ends[id];
      ends[id] = total; // which filling from the back turns into the begin
    }
    for (unsigned sample = samples; sample-- > 0;) {
      const List<Id> list = listOf(sample);
      for (unsigned k = 0; k < list.numActive(); ++k) {
        const unsigned at = --ends[list.ids()[k]];
        entrySamples[at] = static_cast<unsigned short>(sample);
        entryPlaces[at] = sample * capacity + k;
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long active = 0;
    for (unsigned sample = 0; control[kNumSteps] != 0 && sample < samples; ++sample) {
      active += listOf(sample).numActive();
    }
    return 50 + 5 * begins.size() + 16 * active;
  }

private:
  List<Id> listOf(unsigned sample) const {
    return {&lists[SlabShape{rows, width}.at(sample, control[kListRow])]};
  }
};

template class TurnActive<unsigned short>;
template class TurnActive<unsigned>;
