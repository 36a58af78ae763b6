// Steps of one tile's share of a layer of gated units: gather the weight rows of the events that
// arrive, once for all three gates, and update.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/GatedGather.hpp"
#include "maths/Zoneout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id, GatedModel model>
class GatedForward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;       // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;         // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;            // slab of what the layer receives
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists;         // slab of its own events
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;       // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent;     // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;          // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrentBias; // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> threshold;     // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> initial;       // [sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;         // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> last;     // [sample][neurons]; of the last step
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> outputs; // [sample][neurons]; c, for its events
  Output<Vector<unsigned char, VectorLayout::ONE_PTR>> masks; // [sample][event, within][maskBytes]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> sums; // [worker][sample][a, q][gate][neurons]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> kept;    // [worker][sample][width]; for dropout
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      products; // [room][sample][gate][neurons]; formed ahead; with gates kept, in their place
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>>
      gates; // [index of the history][sample][keptStride()], [kKeptGates][neurons] where kept

  const unsigned neurons, firstNeuron; // of this tile, the latter as an id of the layer
  const unsigned layerSize, fanIn;
  const unsigned samples;
  const unsigned rows, width, capacity;
  const unsigned ownWidth; // its capacity is the layer's size
  const unsigned numSteps; // of the whole sequence
  const unsigned stream;   // of the masks
  const float pseudoWidth;
  const float zoneout;
  const unsigned dropoutStream;
  const float dropout;
  const bool ahead, keepsGates;

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    const unsigned group = samplesTogether(numWorkers(), samples);
    for (unsigned first = worker * group; steps != 0 && first < samples;
         first += numWorkers() * group) {
      for (unsigned j = 0; j < steps; ++j) {
        step(first, group, j, worker);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const bool light = control[kLight] != 0;
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 0;
      for (unsigned j = 0; j < control[kNumSteps]; ++j) {
        const unsigned long events = lists[slab.at(sample, control[kListRow] + j)] +
                                     ownLists[own.at(sample, control[kCarryRow] + j)];
        work += 20 + events * eventInstructions(3 * neurons) + gateInstructions(neurons) +
                (light ? 0 : maskInstructions(neurons));
      }
      return work;
    }));
  }

private:
  // Samples first .. first + group - 1.
  void step(unsigned first, unsigned group, unsigned j, unsigned worker) {
    const unsigned long index = control[kFirstStep] + control[kHistoryOffset];
    const float* formed = keepsGates ? &gates[index * samples * keptStride(neurons)]
                                     : &products[3ul * neurons * samples * control[kErrorPlace]];
    const GatedSums<Id> sum = gatherGates<Id>(
        *this, first, group, worker, control[kListRow] + j, control[kCarryRow] + j,
        {ahead ? formed : nullptr, keepsGates ? keptStride(neurons) : 3ul * neurons});
    for (unsigned s = 0; s < sum.together; ++s) {
      forEachRowBlock<kElementRow>(neurons, [&](auto blockWidth, unsigned begin) {
        update<decltype(blockWidth)::value>(first + s, j, begin, sum.a[s], sum.q[s]);
      });
    }
  }

  template <unsigned W>
  void update(unsigned sample, unsigned j, unsigned first, const float* a, const float* q) {
    const unsigned long slotSize = static_cast<unsigned long>(neurons) * samples;
    const unsigned long offset = static_cast<unsigned long>(neurons) * sample + first;
    const Row<W> before = loadRow<W>(stateBefore(control, initial, slots, slotSize, j) + offset);
    const Row<W> theta = loadRow<W>(&threshold[first]);
    const Row<W> start = afterReset<model, W>(before, theta);
    const GateRows<W> now = gateRows<W>(a, q, neurons, first);
    Row<W> c = now.keep * start + (1.0f - now.keep) * now.candidate;
    if (zoneout != 0.0f) {
      c = zoneOut<W>(start, c, sample, control[kFirstStep] + j, first);
    }
    storeRow<W>(&slots[slotAfter(control, j) * slotSize + offset], c);
    if (control[kLight] == 0) {
      if (keepsGates) {
        const unsigned long index = control[kFirstStep] + control[kHistoryOffset];
        keepRows<W>(&gates[(index * samples + sample) * keptStride(neurons)], neurons, first, now);
      }
      storeRow<W>(&outputs[offset], c);
      emit<W>(c, theta, sample, first);
      if (control[kFirstStep] + 1 == numSteps) {
        storeRow<W>(&last[offset], c);
      }
    }
  }

  template <unsigned W>
  Row<W> zoneOut(Row<W> start, Row<W> moved, unsigned sample, unsigned step, unsigned first) const {
    if (phase[kTraining] == 0) {
      return zoneout * start + (1.0f - zoneout) * moved;
    }
    const ZoneoutMask mask = zoneoutMask(*this, sample, step, first);
    for (unsigned i = 0; i < W; ++i) {
      if (mask.holds(i)) {
        moved[i] = start[i];
      }
    }
    return moved;
  }

  template <unsigned W>
  void emit(Row<W> c, Row<W> theta, unsigned sample, unsigned first) {
    const unsigned long maskBytes = (neurons + 7) / 8;
    unsigned char* mask = &masks[sample * 2 * maskBytes];
    if constexpr (model == GatedModel::Gru) { // all fire, and there is no threshold to be near
      const RowMask<W> all = Row<W>(0.0f) == Row<W>(0.0f);
      putBits<W>(mask, first, all);
      putBits<W>(mask + maskBytes, first, ~all);
    } else {
      putEventBits<W>(c, theta, pseudoWidth, mask, maskBytes, first);
    }
  }
};

template class GatedForward<unsigned short, GatedModel::Egru>;
template class GatedForward<unsigned short, GatedModel::Gru>;
template class GatedForward<unsigned, GatedModel::Egru>;
template class GatedForward<unsigned, GatedModel::Gru>;
