// States between a tile's slots and the staging rows that travel to and from Streaming Memory.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

static inline void moveFloats(const float* from, float* to, Slice slice) {
  for (unsigned long i = slice.begin; i < slice.end; ++i) {
    to[i] = from[i];
  }
}

static inline unsigned long moveInstructions(unsigned long floats, unsigned count) {
  return 10 + count * (floats / kWorkers + 1); // a 64-bit load and store per pair of floats
}

class SlotsToStaging : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> transfer; // TransferWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots;    // [slot][stateSize]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> staging; // [state][stateSize]
  const unsigned stateSize;

  bool compute(unsigned worker) {
    const unsigned long first = static_cast<unsigned long>(transfer[kTransferSlot]) * stateSize;
    const unsigned long size = static_cast<unsigned long>(transfer[kTransferCount]) * stateSize;
    moveFloats(&slots[first], &staging[0], workerSlice(size, worker, numWorkers()));
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(moveInstructions(stateSize, transfer[kTransferCount]));
  }
};

class StagingToSlots : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> transfer; // TransferWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> staging;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;
  const unsigned stateSize;

  bool compute(unsigned worker) {
    const unsigned long first = static_cast<unsigned long>(transfer[kTransferSlot]) * stateSize;
    const unsigned long size = static_cast<unsigned long>(transfer[kTransferCount]) * stateSize;
    moveFloats(&staging[0], &slots[first], workerSlice(size, worker, numWorkers()));
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(moveInstructions(stateSize, transfer[kTransferCount]));
  }
};

class CopySlot : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> transfer; // TransferWord
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;
  const unsigned stateSize;

  bool compute(unsigned worker) {
    float* to = &slots[static_cast<unsigned long>(transfer[kTransferSlot]) * stateSize];
    const unsigned source = transfer[kTransferSource];
    const Slice slice = workerSlice(stateSize, worker, numWorkers());
    if (source != 0) {
      moveFloats(&slots[static_cast<unsigned long>(source - 1) * stateSize], to, slice);
    } else {
      for (unsigned long i = slice.begin; i < slice.end; ++i) {
        to[i] = 0.0f;
      }
    }
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(moveInstructions(stateSize, 1)); }
};

// Where the initial state is not zero.
class CopySlotOrInitial : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> transfer; // TransferWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> initial;  // [stateSize]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;
  const unsigned stateSize;

  bool compute(unsigned worker) {
    const unsigned source = transfer[kTransferSource];
    const float* from =
        source != 0 ? &slots[static_cast<unsigned long>(source - 1) * stateSize] : &initial[0];
    moveFloats(from, &slots[static_cast<unsigned long>(transfer[kTransferSlot]) * stateSize],
               workerSlice(stateSize, worker, numWorkers()));
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(moveInstructions(stateSize, 1)); }
};
