// Products of stored events with a tile's weights for several steps at once, on a machine with one
// worker per tile, whose vertices read the history of lists in place. No step waits for another
// where the events are known: those of the input in the forward pass, all of them in the backward
// pass. Weights that pass through the cache then serve all these steps.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/ListGather.hpp"
#include "maths/StoredLists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class AheadProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;      // of the layer
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;        // PhaseWord
  Vector<Input<Vector<Id, VectorLayout::ONE_PTR, 8>>> history; // see maths/StoredLists.hpp
  Vector<Input<Vector<unsigned, VectorLayout::ONE_PTR>>> begins;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;  // [id][column]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> start;    // [column]; what sums begin with
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> products; // [place][sample][productStride]
  InOut<Vector<float, VectorLayout::SPAN, 8>> united;      // unionFloats(of any list); scratch
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>>
      kept; // [kUnited][width]; scratch, where there is dropout

  const unsigned numIds;
  const unsigned columns, productStride;
  const bool intoHistory; // the place is the step's index there, else it counts from the first step
  const unsigned samples;
  const unsigned samplesPerShard; // the last may have fewer
  const unsigned width, capacity;
  const bool appended;
  const unsigned firstIndex; // of the history, for step 0
  const bool backwards;      // from the latest step
  const unsigned dropoutStream;
  const float dropout;

  bool compute(unsigned) {
    const unsigned steps = numSteps(), most = static_cast<unsigned>(united.size()) / kUnionFloats;
    const ValueMask mask = maskOfBatch(phase, dropoutStream, numIds, dropout);
    ListGather<Id> gather({&weights[0], numIds, columns, &start[0]}, storedCapacity(*this),
                          emptyUnion(&united[0], most));
    for (unsigned j = 0; j < steps; ++j) {
      const unsigned step = backwards ? control[kFirstStep] - j : control[kFirstStep] + j;
      for (unsigned first = 0; first < samples; first += kUnited) {
        add(gather, mask, step, j, first);
        if (mask.p != 0.0f) {
          gather.finish(); // the next ones take its lists' room
        }
      }
    }
    gather.finish();
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long events = static_cast<unsigned long>(numSteps()) * samples * capacity;
    return tileCycles(20 + events * eventInstructions(columns) / kWorkers);
  }

private:
  unsigned numSteps() const { return control[kNumSteps] == 0 ? 0 : control[kAheadSteps]; }

  void add(ListGather<Id>& gather, const ValueMask& mask, unsigned step, unsigned j,
           unsigned first) {
    const unsigned together = samples - first < kUnited ? samples - first : kUnited;
    List<Id> lists[kUnited];
    float* sums[kUnited];
    const unsigned long index = step + control[kHistoryOffset];
    const unsigned long place = intoHistory ? index : j;
    for (unsigned s = 0; s < together; ++s) {
      lists[s] = maskedList<Id>(storedList<Id>(*this, index + firstIndex, first + s),
                                storedCapacity(*this), mask, first + s, kept,
                                static_cast<unsigned long>(s) * width);
      sums[s] = &products[(place * samples + first + s) * productStride];
    }
    gather.add(lists, together, sums);
  }
};

template class AheadProduct<unsigned short>;
template class AheadProduct<unsigned>;
