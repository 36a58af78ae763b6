// What the backward pass wants to know of the states, picked out while they are at hand: the
// distance to the threshold at every id of a layer's lists, for a group of samples.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Distances.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// inHistory: values go to the history at once, which then lies where the lists are made.
template <typename Id, bool inHistory>
class CacheDistances : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists; // slab of these samples; row j+1 is step j's
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>>
      distances; // per tile of the layer: [sample][step of the block][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR>>
      values; // [sample][step of the block][entry], or the history

  const unsigned layerSize;
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width};
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        const List<Id> list{&lists[slab.at(sample, j + 1)]};
        const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j;
        const unsigned long index = control[kFirstStep] + control[kHistoryOffset] + j;
        const unsigned long to = inHistory ? index * samples + sample : row;
        gatherDistances<Id>(*this, list, row, &values[to * (width - kListHeader)], worker,
                            numWorkers());
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    unsigned long work = 10;
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        // Per id a division, the tile's pointer, load and store.
        work += 12 + 12ul * ((lists[slab.at(sample, j + 1) + 1] + kWorkers - 1) / kWorkers);
      }
    }
    return tileCycles(work);
  }
};

template class CacheDistances<unsigned short, false>;
template class CacheDistances<unsigned short, true>;
template class CacheDistances<unsigned, false>;
template class CacheDistances<unsigned, true>;

// Values of a block between the slab, [sample][step of the block][entry], and the history,
// [index][sample][entry]: index i for step i. A shard of samples, or of one sample's entries.
static inline void moveRow(const float* from, float* to, unsigned size) {
  for (unsigned k = 0; k < size; ++k) {
    to[k] = from[k];
  }
}

static inline unsigned long moveCycles(unsigned samples, unsigned steps, unsigned size) {
  return tileCycles(slowestWorker(samples, [&](unsigned) { return 10 + steps * (4ul + size); }));
}

class StoreValues : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<float, VectorLayout::ONE_PTR>> values;
  InOut<Vector<float, VectorLayout::ONE_PTR>> history;
  const unsigned samples, blockSteps, size;

  bool compute(unsigned worker) {
    const unsigned long first = control[kFirstStep] + control[kHistoryOffset];
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        moveRow(&values[(static_cast<unsigned long>(sample) * blockSteps + j) * size],
                &history[((first + j) * samples + sample) * size], size);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const { return moveCycles(samples, control[kNumSteps], size); }
};

class FetchValues : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer's next block
  Input<Vector<float, VectorLayout::ONE_PTR>> history;
  Output<Vector<float, VectorLayout::ONE_PTR>> values;
  const unsigned samples, blockSteps, size;

  bool compute(unsigned worker) {
    const unsigned long first = control[kFirstStep] + control[kHistoryOffset];
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        moveRow(&history[((first + j) * samples + sample) * size],
                &values[(static_cast<unsigned long>(sample) * blockSteps + j) * size], size);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const { return moveCycles(samples, control[kNumSteps], size); }
};
