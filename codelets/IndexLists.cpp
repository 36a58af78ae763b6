// The lists of a block turned round, once for all tiles of the unit that received them.
#include "maths/Control.hpp"
#include "maths/RowIndex.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class IndexLists : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord of the unit
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // what it received: row j for step j
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> index;  // see RowIndex

  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const unsigned fanIn;

  bool compute() {
    const BlockPlaces<Id> places = listPlaces();
    if (places.steps != 0) {
      buildRowIndex(places, fanIn, &index[0]);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    unsigned long work = 4ul * fanIn;
    listPlaces().forEach([&](unsigned, List<Id> list) { work += 12 + 8ul * list.numSpikes(); });
    return work;
  }

private:
  BlockPlaces<Id> listPlaces() const {
    return {&lists[0], {rows, width}, control[kNumSteps], samples, blockSteps};
  }
};

template class IndexLists<unsigned short>;
template class IndexLists<unsigned>;
