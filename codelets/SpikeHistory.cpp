// The lists of all steps, kept for recomputation and backward: one shard of samples (or of the
// words of one sample's list) per vertex, on the tile that holds that shard.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// How a shard holds a list: whole, or some of its words, of which the header may lie elsewhere.
struct ListLayout {
  unsigned width;
  bool whole;
  unsigned values; // the first word of the events' values; 0: they carry none
};

// Of a whole list, what it holds; of a part, all words.
template <typename Id>
static inline unsigned long usedWords(const Id* list, const ListLayout& layout) {
  if (!layout.whole) {
    return layout.width;
  }
  const unsigned long valueWords = sizeof(float) / sizeof(Id);
  return kListHeader + List<Id>{list}.numActive() +
         (layout.values != 0 ? valueWords * List<Id>{list}.numSpikes() : 0);
}

template <typename Id>
static inline void copyWords(const Id* from, Id* to, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

template <typename Id>
static inline void copyList(const Id* from, Id* to, const ListLayout& layout) {
  if (!layout.whole) {
    copyWords(from, to, layout.width);
    return;
  }
  copyWords(from, to, kListHeader + List<Id>{from}.numActive());
  if (layout.values != 0) {
    copyWords(from + layout.values, to + layout.values,
              sizeof(float) / sizeof(Id) * List<Id>{from}.numSpikes());
  }
}

// Four half-word loads and stores an iteration on the tile.
static inline unsigned long copyInstructions(unsigned long words) {
  return 10 + words;
}

// Rows 1 .. numSteps of the slab to indices firstStep+1 .. of the history; where a history block
// opens, row 0, the list of the step before, to its first index too.
template <typename Id>
class StoreLists : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer that spiked
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // [sample][row][width]
  InOut<Vector<Id, VectorLayout::ONE_PTR>> history;       // [index][sample][width]

  const unsigned samples;
  const unsigned rows, width;
  const bool whole;      // the shard holds whole lists
  const unsigned values; // the first word of the events' values; 0: they carry none

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    const unsigned long stride = static_cast<unsigned long>(samples) * width;
    const unsigned first = control[kFirstStep] + control[kHistoryOffset];
    const SlabShape slab{rows, width};
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      Id* to = &history[first * stride + static_cast<unsigned long>(sample) * width];
      for (unsigned j = control[kOpensHistory] != 0 ? 0 : 1; j <= steps; ++j) {
        copyList(&lists[slab.at(sample, j)], to + j * stride, {width, whole, values});
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 1; j <= control[kNumSteps]; ++j) {
        work += copyInstructions(usedWords(&lists[slab.at(sample, j)], {width, whole, values}));
      }
      return work;
    }));
  }
};

// Indices firstStep .. of the history to rows 0 .. numSteps-1 of the slab (and one more where
// asked).
template <typename Id>
class FetchLists : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the unit that will read the slab
  Input<Vector<Id, VectorLayout::ONE_PTR>> history;       // [index][sample][width]
  Output<Vector<Id, VectorLayout::ONE_PTR>> lists;        // [sample][row][width]

  const unsigned samples;
  const unsigned rows, width;
  const bool whole;         // the shard holds whole lists
  const unsigned values;    // as in StoreLists
  const unsigned extraRows; // 1: also the row after the block, the unit's own list of its last step

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    const unsigned long stride = static_cast<unsigned long>(samples) * width;
    const unsigned first = control[kFirstStep] + control[kHistoryOffset];
    const SlabShape slab{rows, width};
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      const Id* from = &history[first * stride + static_cast<unsigned long>(sample) * width];
      for (unsigned j = 0; j < steps + extraRows; ++j) {
        copyList(from + j * stride, &lists[slab.at(sample, j)], {width, whole, values});
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; steps != 0 && j < steps + extraRows; ++j) {
        work += copyInstructions(usedWords(&lists[slab.at(sample, j)], {width, whole, values}));
      }
      return work;
    }));
  }
};

template class StoreLists<unsigned short>;
template class StoreLists<unsigned>;
template class FetchLists<unsigned short>;
template class FetchLists<unsigned>;
