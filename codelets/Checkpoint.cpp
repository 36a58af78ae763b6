// States between a tile's slots and the staging rows that travel to and from Streaming Memory.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

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
    for (unsigned long i = worker; i < size; i += numWorkers()) {
      staging[i] = slots[first + i];
    }
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
    for (unsigned long i = worker; i < size; i += numWorkers()) {
      slots[first + i] = staging[i];
    }
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
    const float* from =
        source == 0 ? nullptr : &slots[static_cast<unsigned long>(source - 1) * stateSize];
    for (unsigned i = worker; i < stateSize; i += numWorkers()) {
      to[i] = from == nullptr ? 0.0f : from[i];
    }
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(moveInstructions(stateSize, 1)); }
};
