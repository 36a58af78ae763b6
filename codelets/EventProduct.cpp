// What one tile's share of a unit sends back to the entries of the lists it received in a step.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventProducts.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class EventProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of what the unit received
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [id][column]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;  // [sample][column]
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;  // [sample][entry of the list]

  const unsigned columns;
  const unsigned samples;
  const unsigned rows, width, capacity;

  bool compute(unsigned worker) {
    const SlabShape slab{rows, width};
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      dotActive<Id>({&lists[slab.at(sample, control[kListRow])]}, &weights[0], columns,
                    &errors[static_cast<unsigned long>(sample) * columns],
                    &partials[static_cast<unsigned long>(sample) * capacity]);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width};
    return tileCycles(slowestWorker(control[kNumSteps] != 0 ? samples : 0, [&](unsigned sample) {
      return 20 + lists[slab.at(sample, control[kListRow]) + 1] * (eventInstructions(columns) + 2);
    }));
  }
};

template class EventProduct<unsigned short>;
template class EventProduct<unsigned>;
