// CacheDistances beside lists that follow one another, before these are appended: value k of a list
// stands k floats behind the list's place.
#include "maths/AppendedLists.hpp"
#include "maths/Cycles.hpp"
#include "maths/Distances.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class AppendDistances : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists; // slab of these samples; row j+1 is step j's
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> begins; // see maths/AppendedLists.hpp
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> history;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> distances; // as in CacheDistances
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> values;         // places

  const unsigned layerSize;
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;

  bool compute() {
    forEachAppended<Id>(
        *this, false,
        [&](unsigned long, unsigned place, List<Id> list, unsigned sample, unsigned j) {
          if (j != 0) {
            const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j - 1;
            gatherDistances<Id>(*this, list, row,
                                &values[static_cast<unsigned long>(place) * kPlaceWords], 0, 1);
          }
        });
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    unsigned long work = 20;
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned j = 1; j <= control[kNumSteps]; ++j) {
        work += 12 + 12ul * lists[slab.at(sample, j) + 1];
      }
    }
    return work;
  }
};

template class AppendDistances<unsigned short>;
template class AppendDistances<unsigned>;
