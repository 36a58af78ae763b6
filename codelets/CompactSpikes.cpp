// Turns the spike masks of a layer's tiles into lists of ids, for a group of samples.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"
#include "maths/MaskWords.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class CompactSpikes : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  // One vector per tile of the layer: [sample][row][spike, gradient][bytes]; bit i is neuron i of
  // the tile.
  Vector<Input<Vector<unsigned char, VectorLayout::ONE_PTR>>> masks;
  InOut<Vector<Id, VectorLayout::ONE_PTR>>
      lists; // slab of these samples; row j+1 is the block's step j
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> counters; // [sample][spikes, active, dropped]

  const unsigned layerSize;
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const bool spikesOnly; // every neuron receives a gradient: none need be listed for it

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width};
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      carry(slab, sample);
      for (unsigned j = 0; j < steps; ++j) {
        compact(&lists[slab.at(sample, j + 1)], sample * blockSteps + j, &counters[3 * sample]);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < steps; ++j) {
        // A pass or two over the tiles' mask words, then what is emitted.
        work +=
            20 + (spikesOnly ? 1 : 2) * 5 * masks.size() + 6 * lists[slab.at(sample, j + 1) + 1];
      }
      return work;
    }));
  }

private:
  // The next block's row 0 is the list of the step before it.
  void carry(SlabShape slab, unsigned sample) {
    if (control[kCarryRow] != 0) {
      const Id* from = &lists[slab.at(sample, control[kCarryRow])];
      Id* to = &lists[slab.at(sample, 0)];
      for (unsigned i = 0; i < kListHeader + from[1]; ++i) {
        to[i] = from[i];
      }
    }
  }

  void compact(Id* list, unsigned maskRow, unsigned* counts) {
    Id* ids = list + kListHeader;
    const unsigned capacity = width - kListHeader;
    unsigned total = 0;
    const unsigned spikes = scan(ids, 0, capacity, maskRow, Pass::Spikes, total);
    unsigned ignored = 0;
    const unsigned active =
        spikesOnly ? spikes : scan(ids, spikes, capacity, maskRow, Pass::GradientOnly, ignored);
    list[0] = static_cast<Id>(spikes);
    list[1] = static_cast<Id>(active);
    counts[0] += spikes;
    counts[1] += spikesOnly ? layerSize : active;
    counts[2] += total - spikes;
  }

  enum class Pass { Spikes, GradientOnly };
  unsigned scan(Id* ids, unsigned size, unsigned capacity, unsigned maskRow, Pass pass,
                unsigned& total) {
    for (unsigned tile = 0; tile < masks.size(); ++tile) {
      const unsigned firstNeuron = tile * neuronsPerTile;
      const unsigned held = layerSize - firstNeuron;
      const unsigned bytes = ((held < neuronsPerTile ? held : neuronsPerTile) + 7) / 8;
      const unsigned char* spikeMask =
          &masks[tile][static_cast<unsigned long>(maskRow) * 2 * bytes];
      for (unsigned byte = 0; byte < bytes; byte += sizeof(MaskWord)) {
        MaskWord bits = loadBits(spikeMask + byte, bytes - byte);
        if (pass == Pass::GradientOnly) {
          bits = loadBits(spikeMask + bytes + byte, bytes - byte) & ~bits;
        }
        total += static_cast<unsigned>(__builtin_popcountll(bits));
        size = appendSetBits(bits, firstNeuron + 8 * byte, ids, size, capacity);
      }
    }
    return size;
  }
};

template class CompactSpikes<unsigned short>;
template class CompactSpikes<unsigned>;
