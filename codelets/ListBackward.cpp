// SpikingBackward for longer blocks on a machine with one worker per tile: a whole layer's adjoint
// of a group of samples, without adaptation. One vertex then reads a list, and sums what the tiles
// above send to its entries; a sample's adjoint, in one piece, stays in the nearest cache.
#include "maths/AppendedLists.hpp"
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Surrogate.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class ListBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // slab of these samples; row j + 1 for step j
  // Per tile above: [sample][row][entry of the own list], row j for the spikes of the step before
  // step j.
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> above;
  InOut<Vector<float, VectorLayout::ONE_PTR>> carried; // [sample][entry]; row 0 of the block after
                                                       // this one, summed over tiles above
  // Distances to the threshold, where cached: [index][sample][entry], index i for step i; or where
  // the lists' places are.
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> values;
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> begins;  // see maths/AppendedLists.hpp
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint; // [sample][layerSize]
  // Per tile of the layer: of all samples [slot][sample][neurons]; of these [sample][neurons] and
  // [sample][row][neurons], gain * adjoint.
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> slots;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> countGradient;
  Vector<Output<Vector<float, VectorLayout::ONE_PTR, 8>>> scaled;

  const unsigned layerSize;
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples, firstSample, allSamples, blockSteps;
  const unsigned rows, width; // of the lists
  const bool hasAbove;
  const bool counting;  // countGradient is used
  const bool cached;    // values stand in for the states
  const bool appended;  // and stand beside lists that are appended
  const bool gateReset; // the adjoint does not pass a reset
  const float alpha, gain, theta, rho, beta;
  const unsigned surrogateShape;
  const float surrogateInverseWidth, surrogateScale;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width};
    const unsigned steps = control[kNumSteps], entries = width - kListHeader;
    for (unsigned long sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      float *adj = &adjoint[sample * layerSize], *later = &carried[sample * entries];
      for (unsigned j = steps; j-- > 0;) {
        decay(adj, sample, j);
        receive(adj, sample, j, {&ownLists[slab.at(sample, j + 1)]}, later);
        forEachTile([&](unsigned tile, unsigned first, unsigned held) {
          float* to = &scaled[tile][(sample * blockSteps + j) * held];
          fetchToWrite(to - (j != 0 ? held : 0), held); // of the step before, which is next
          scaleRow(adj + first, gain, to, held);
        });
      }
      forEachRowBlock<kChunk>(ownLists[slab.at(sample, 0) + 1], [&](auto blockWidth, unsigned k) {
        constexpr unsigned W = decltype(blockWidth)::value;
        storeRow<W>(later + k, sentFromAbove<W>(sample * blockSteps * entries + k));
      });
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long step = stepInstructions(layerSize) + (width - kListHeader) * 16ul;
    return tileCycles(slowestWorker(samples, [&](unsigned) { return control[kNumSteps] * step; }));
  }

private:
  static constexpr unsigned kChunk = kWidestRow < 16 ? kWidestRow : 16; // entries at a time

  template <class F>
  void forEachTile(const F& f) const {
    for (unsigned tile = 0; tile < slots.size(); ++tile) {
      const unsigned first = tile * neuronsPerTile, left = layerSize - first;
      f(tile, first, left < neuronsPerTile ? left : neuronsPerTile);
    }
  }

  const float* stateOf(unsigned tile, unsigned held, unsigned long sample, unsigned j) const {
    const unsigned long slot = control[kReadSlot] - 1ul + j;
    return &slots[tile][(slot * allSamples + firstSample + sample) * held];
  }

  void decay(float* adj, unsigned long sample, unsigned j) const {
    if (gateReset) {
      forEachTile([&](unsigned tile, unsigned first, unsigned held) {
        const float* state = stateOf(tile, held, sample, j);
        for (unsigned i = 0; i < held; ++i) {
          adj[first + i] = state[i] > theta ? 0.0f : adj[first + i];
        }
      });
    }
    scaleRow(adj, alpha, adj, layerSize);
  }

  void receive(float* adj, unsigned long sample, unsigned j, List<Id> active, const float* later) {
    const SurrogateConstants slope{static_cast<SurrogateShape>(surrogateShape),
                                   surrogateInverseWidth, surrogateScale};
    const unsigned entries = width - kListHeader;
    const unsigned long row = (sample * blockSteps + j) * entries;
    const float* value = &values[cached ? beginOfValues(sample, j) : 0];
    forEachRowBlock<kChunk>(active.numActive(), [&](auto blockWidth, unsigned k) {
      constexpr unsigned W = decltype(blockWidth)::value;
      const Id* ids = active.ids() + k;
      float gradients[W], distances[W], changes[W];
      storeRow<W>(gradients, j + 1 == control[kNumSteps] ? loadRow<W>(later + k)
                                                         : sentFromAbove<W>(row + entries + k));
      for (unsigned w = 0; (counting || !cached) && w < W; ++w) {
        const unsigned tile = ids[w] / neuronsPerTile, first = tile * neuronsPerTile;
        const unsigned left = layerSize - first, i = ids[w] - first;
        const unsigned held = left < neuronsPerTile ? left : neuronsPerTile;
        gradients[w] += counting ? countGradient[tile][sample * held + i] : 0.0f;
        distances[w] = cached ? 0.0f : stateOf(tile, held, sample, j)[i] - theta;
      }
      const Row<W> distance = loadRow<W>(cached ? value + k : distances);
      storeRow<W>(changes, surrogateRow<W>(distance, slope) * loadRow<W>(gradients));
#pragma clang loop unroll(full)
      for (unsigned w = 0; w < W; ++w) {
        adj[ids[w]] += changes[w];
      }
    });
  }

  unsigned long beginOfValues(unsigned long sample, unsigned j) const {
    const unsigned long index = control[kFirstStep] + control[kHistoryOffset] + j;
    return appended
               ? static_cast<unsigned long>(begins[(index + 1) * samples + sample]) * kPlaceWords
               : (index * samples + sample) * (width - kListHeader);
  }

  template <unsigned W>
  Row<W> sentFromAbove(unsigned long at) const {
    Row<W> sum(0.0f);
    for (unsigned tile = 0; hasAbove && tile < above.size(); ++tile) {
      sum += loadRow<W>(&above[tile][at]);
    }
    return sum;
  }
};

template class ListBackward<unsigned short>;
template class ListBackward<unsigned>;
