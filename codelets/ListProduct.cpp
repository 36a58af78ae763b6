// What a tile sends back to the entries of a list it read: its adjoints times their weight rows.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/DotRows.hpp"
#include "maths/ReadThrough.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class ListProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // slab; row j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [fan-in][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;  // [sample][row][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;  // [sample][row][entry of the list]

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;

  // A block of columns stays in the nearest cache while all lists pass over it.
  bool compute(unsigned worker) {
    if (numWorkers() == 1) {
      readRowsThrough<Id>(*this, 0, [](List<Id> list) { return list.numActive(); });
    }
    forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
      for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
        multiply<decltype(blockWidth)::value>(sample, first);
      }
    });
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        work += 8 + lists[slab.at(sample, j) + 1] * (spikeInstructions(neurons) + 2);
      }
      return work;
    }));
  }

private:
  template <unsigned W>
  void multiply(unsigned sample, unsigned first) {
    const SlabShape slab{rows, width};
    const float* columns = &weights[first];
    const unsigned steps = control[kNumSteps], stride = neurons;
    for (unsigned j = 0; j < steps; ++j) {
      const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j;
      const List<Id> list{&lists[slab.at(sample, j)]};
      const float* factors = &scaled[row * stride + first];
      float* products = &partials[row * (width - kListHeader)];
      // Of the next row: the lists are too short for the host to look so far ahead by itself.
      fetchAhead<W>(factors + stride);
      fetchToWrite(products + width - kListHeader, list.numActive());
      dotRows<Id, W>(list, columns, factors, stride, products,
                     first == 0 ? DotStart::Set : DotStart::Add);
    }
  }
};

template class ListProduct<unsigned short>;
template class ListProduct<unsigned>;
