// The lists of all steps, one after another, on a machine with one worker per tile: see
// maths/AppendedLists.hpp.
#include "maths/AppendedLists.hpp"

#include "maths/Cycles.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

namespace {

// Of a list that carries values where they stand, as a capacity, before and after.
template <class Id>
inline void copyList(List<Id> list, unsigned before, Id* to, unsigned after, bool valued) {
  __builtin_memcpy(to, list.words, (kListHeader + list.numActive()) * sizeof(Id));
  if (valued) {
    const unsigned room = after != kValuesFollow ? after : list.numActive();
    __builtin_memcpy(to + valuesBegin(room), list.values(before),
                     list.numSpikes() * sizeof(ListValue));
  }
}

// Four half-word loads and stores an iteration on the tile.
template <class Id>
inline unsigned long copyInstructions(List<Id> list, bool valued) {
  return 12ul + heldWords(list, valued);
}

} // namespace

// StoreLists, for a group of samples.
template <typename Id>
class AppendLists : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer that spiked
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // [sample][row][width]
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> begins;  // [index][sample]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> history;    // places

  const unsigned samples;
  const unsigned rows, width;
  const bool valued;
  const unsigned capacity; // of the slab's lists

  bool compute() {
    forEachAppended<Id>(
        *this, valued, [&](unsigned long entry, unsigned place, List<Id> list, unsigned, unsigned) {
          begins[entry] = place;
          copyList(list, capacity, &history[static_cast<unsigned long>(place) * kPlaceWords],
                   kValuesFollow, valued);
        });
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long work = 20;
    const SlabShape slab{rows, width};
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned j = 1; j <= control[kNumSteps]; ++j) {
        work += copyInstructions(List<Id>{&lists[slab.at(sample, j)]}, valued);
      }
    }
    return work;
  }
};

// FetchLists, for a group of samples.
template <typename Id>
class FetchAppended : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit that will read the slab
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> begins;  // [index][sample]
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> history;    // places
  Output<Vector<Id, VectorLayout::ONE_PTR>> lists;        // [sample][row][width]

  const unsigned samples;
  const unsigned rows, width;
  const bool valued;
  const unsigned capacity;  // of the slab's lists
  const unsigned extraRows; // as in FetchLists

  bool compute() {
    forEachRow([&](List<Id> list, unsigned sample, unsigned j) {
      copyList(list, kValuesFollow, &lists[SlabShape{rows, width}.at(sample, j)], capacity, valued);
    });
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long work = 20;
    forEachRow([&](List<Id> list, unsigned, unsigned) { work += copyInstructions(list, valued); });
    return work;
  }

private:
  template <class F>
  void forEachRow(const F& f) const {
    const unsigned steps = control[kNumSteps];
    const unsigned* from = &begins[static_cast<unsigned long>(control[kFirstStep]) * samples];
    for (unsigned sample = 0; steps != 0 && sample < samples; ++sample) {
      for (unsigned j = 0; j < steps + extraRows; ++j) {
        const unsigned long place = from[static_cast<unsigned long>(j) * samples + sample];
        f(List<Id>{&history[place * kPlaceWords]}, sample, j);
      }
    }
  }
};

template class AppendLists<unsigned short>;
template class AppendLists<unsigned>;
template class FetchAppended<unsigned short>;
template class FetchAppended<unsigned>;
