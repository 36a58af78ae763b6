// Turns the masks and states of a layer's tiles into lists of events with their values, for a group
// of samples and one step.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"
#include "maths/MaskWords.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class CompactEvents : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  // One vector per tile of the layer: [sample][event, within][bytes]; bit i is unit i of the
  // tile.
  Vector<Input<Vector<unsigned char, VectorLayout::ONE_PTR>>> masks;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> outputs; // per tile: [sample][unit]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>>
      lists; // slab of these samples; row 1 is the step, row 0 the one before
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>>
      counters; // [sample][events, active, events beyond]

  const unsigned layerSize;      // also the lists' capacity: no event is dropped
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples;
  const unsigned width;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      Id* before = &lists[static_cast<unsigned long>(sample) * 2 * width];
      if (control[kCarryRow] != 0) {
        for (unsigned i = 0; i < width; ++i) {
          before[i] = before[width + i];
        }
      }
      compact(before + width, sample, &counters[3 * sample]);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    return tileCycles(slowestWorker(steps == 0 ? 0 : samples, [&](unsigned sample) {
      const unsigned active = lists[(static_cast<unsigned long>(sample) * 2 + 1) * width + 1];
      return 20 + 2 * 5 * masks.size() + 8ul * active + width;
    }));
  }

private:
  void compact(Id* list, unsigned sample, unsigned* counts) {
    Id* ids = list + kListHeader;
    ListValue* values = reinterpret_cast<ListValue*>(list + valuesBegin(layerSize));
    unsigned numEvents = 0;
    unsigned numBeyond = 0;
    for (unsigned tile = 0; tile < masks.size(); ++tile) {
      const unsigned begin = numEvents, first = tile * neuronsPerTile;
      forEachWord(tile, sample, [&](unsigned place, MaskWord fired, MaskWord within) {
        numBeyond += static_cast<unsigned>(__builtin_popcountll(fired & ~within));
        numEvents = appendSetBits(fired, first + place, ids, numEvents, layerSize);
      });
      const float* from = &outputs[tile][static_cast<unsigned long>(sample) * unitsOf(tile)];
      for (unsigned k = begin; k < numEvents; ++k) {
        values[k] = from[ids[k] - first];
      }
    }
    unsigned numActive = numEvents;
    for (unsigned tile = 0; tile < masks.size(); ++tile) {
      forEachWord(tile, sample, [&](unsigned place, MaskWord fired, MaskWord within) {
        numActive = appendSetBits(within & ~fired, tile * neuronsPerTile + place, ids, numActive,
                                  layerSize);
      });
    }
    list[0] = static_cast<Id>(numEvents);
    list[1] = static_cast<Id>(numActive);
    counts[0] += numEvents;
    counts[1] += numActive;
    counts[2] += numBeyond;
  }

  unsigned unitsOf(unsigned tile) const {
    const unsigned left = layerSize - tile * neuronsPerTile;
    return left < neuronsPerTile ? left : neuronsPerTile;
  }

  // f(first unit of the tile, those that fired, those within the support) for its words of units.
  template <class F>
  void forEachWord(unsigned tile, unsigned sample, const F& f) {
    const unsigned bytes = (unitsOf(tile) + 7) / 8;
    const unsigned char* fired = &masks[tile][static_cast<unsigned long>(sample) * 2 * bytes];
    for (unsigned byte = 0; byte < bytes; byte += sizeof(MaskWord)) {
      f(8 * byte, loadBits(fired + byte, bytes - byte),
        loadBits(fired + bytes + byte, bytes - byte));
    }
  }
};

template class CompactEvents<unsigned short>;
template class CompactEvents<unsigned>;
