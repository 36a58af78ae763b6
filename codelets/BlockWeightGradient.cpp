// WeightGradient for blocks of many steps on a machine with one worker per tile.
//
// In a long block an input spikes many times, so the lists are turned round first (IndexLists):
// each row of the gradient is then loaded and stored once a block, and the sum stays in registers
// between. The order of summation, and so every bit, is WeightGradient's.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/RowIndex.hpp"
#include "maths/Rows.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class BlockWeightGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;        // what the unit received: row j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> scaled; // [sample][row][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient;     // [fan-in][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> biasGradient; // [neurons]
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> index;        // of the lists, see RowIndex

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const unsigned fanIn;
  const bool hasBias;

  bool compute(unsigned) {
    if (control[kNumSteps] != 0) {
      const RowIndex places(&index[0], fanIn);
      forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
        addColumns<decltype(blockWidth)::value>(places, first);
      });
    }
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long work = 4ul * fanIn;
    listPlaces().forEach(
        [&](unsigned, List<Id> list) { work += list.numSpikes() * spikeInstructions(neurons); });
    return tileCycles(work);
  }

private:
  static constexpr unsigned long kRowsAhead = 4;

  BlockPlaces<Id> listPlaces() const {
    return {&lists[0], {rows, width}, control[kNumSteps], samples, blockSteps};
  }

  template <unsigned W>
  void addColumns(const RowIndex& places, unsigned first) {
    const unsigned long stride = neurons;
    const float* factors = &scaled[first];
    for (unsigned id = 0; id < places.numIds(); ++id) {
      const unsigned *place = places.begin(id), *const end = places.end(id);
      if (place != end) {
        float* row = &gradient[id * stride + first];
        fetchAhead<W>(row + kRowsAhead * stride); // in no cache since the block before
        Row<W> sum = loadRow<W>(row);
        for (; place != end; ++place) {
          sum += loadRow<W>(factors + *place * stride);
        }
        storeRow<W>(row, sum);
      }
    }
    if (hasBias) {
      Row<W> bias = loadRow<W>(&biasGradient[first]);
      listPlaces().forEach(
          [&](unsigned place, List<Id>) { bias += loadRow<W>(factors + place * stride); });
      storeRow<W>(&biasGradient[first], bias);
    }
  }
};

template class BlockWeightGradient<unsigned short>;
template class BlockWeightGradient<unsigned>;
