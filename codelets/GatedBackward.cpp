// A step of the adjoint of one tile's share of a layer of gated units. Gates are not stored: they
// are gathered again from the stored events.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"
#include "maths/ListErrors.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id, GatedModel model>
class GatedBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of what the layer received
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>>
      ownLists; // row 0: of the step before, row 1: of the step
  Input<Vector<float, VectorLayout::ONE_PTR>>
      gradients; // [sample][from the recurrence, from above][entry of the step's own list]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;          // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent;        // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;             // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrentBias;    // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> threshold;        // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots;            // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint;          // [sample][neurons]; dL/dh
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> inputErrors;     // [sample][gate][neurons]; dp
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> recurrentErrors; // [sample][gate][neurons]; dq
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> thresholdErrors; // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;    // [sample][entry of the list received]
  Output<Vector<float, VectorLayout::ONE_PTR>> ownPartials; // [sample][entry of ownLists' row 0]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>>
      sums; // [worker][sample][a, q][gate][neurons]; scratch
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>>
      kept; // [worker][sample][width]; scratch, where there is dropout
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      outside; // [sample][step][unit of the layer]; dL/dy, where it does not come from a unit above

  const unsigned neurons;
  const unsigned firstNeuron; // of this tile, as an id of the layer
  const unsigned layerSize, fanIn;
  const unsigned samples;
  const unsigned rows, width, capacity;
  const unsigned ownWidth; // its capacity is the layer's size
  const unsigned stream;
  const bool propagate; // false: nobody below wants the partials
  const float dampening, inverseWidth;
  const float eventCost; // what an event adds to the loss
  const float zoneout;
  const unsigned dropoutStream;
  const float dropout;
  const unsigned outsideSteps; // 0: dL/dy comes from the unit above, through `gradients`

  bool compute(unsigned worker) {
    const unsigned group = numWorkers() == 1 ? kTogether : 1; // several workers share the samples
    for (unsigned first = worker * group; control[kNumSteps] != 0 && first < samples;
         first += numWorkers() * group) {
      step(first, group, worker);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    return tileCycles(slowestWorker(control[kNumSteps] != 0 ? samples : 0, [&](unsigned sample) {
      const unsigned long received = slab.at(sample, control[kListRow]);
      const unsigned long before = own.at(sample, 0);
      unsigned long products = lists[received] + ownLists[before] + ownLists[before + 1];
      products += propagate ? lists[received + 1] : 0u;
      return 40 + products * eventInstructions(3 * neurons) + 2 * gateInstructions(neurons);
    }));
  }

private:
  // Samples first .. first + group - 1.
  void step(unsigned first, unsigned group, unsigned worker) {
    float* scratch = &sums[static_cast<unsigned long>(worker) * kTogether * 6 * neurons];
    const ValueMask mask = inputMask();
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const unsigned together = samples - first < group ? samples - first : group;
    List<Id> received[kTogether], masked[kTogether], before[kTogether];
    float *a[kTogether], *q[kTogether];
    for (unsigned s = 0; s < together; ++s) {
      received[s] = {&lists[slab.at(first + s, control[kListRow])]};
      masked[s] = maskedList<Id>(received[s], capacity, mask, first + s, kept,
                                 (worker * static_cast<unsigned long>(kTogether) + s) * width);
      before[s] = {&ownLists[own.at(first + s, 0)]};
      a[s] = scratch + 6ul * neurons * s;
      q[s] = a[s] + 3ul * neurons;
    }
    gatherTogether<Id>(masked, together, capacity, fanIn, &weights[0], 3 * neurons, &bias[0], a);
    gatherTogether<Id>(before, together, layerSize, layerSize, &recurrent[0], 3 * neurons,
                       &recurrentBias[0], q);
    for (unsigned s = 0; s < together; ++s) {
      differentiateSample(first + s, a[s], q[s], received[s], before[s]);
    }
  }

  void differentiateSample(unsigned sample, const float* a, const float* q, List<Id> received,
                           List<Id> before) {
    float* dp = &inputErrors[3ul * neurons * sample];
    float* dq = &recurrentErrors[3ul * neurons * sample];
    receive(sample, dp);
    forEachRowBlock<kElementRow>(neurons, [&](auto blockWidth, unsigned first) {
      differentiate<decltype(blockWidth)::value>(sample, first, a, q, dp, dq);
    });
    dotActive<Id>(before, &recurrent[0], 3 * neurons, dq,
                  &ownPartials[static_cast<unsigned long>(sample) * layerSize]);
    if (propagate) {
      float* products = &partials[static_cast<unsigned long>(sample) * capacity];
      dotActive<Id>(received, &weights[0], 3 * neurons, dp, products);
      const ValueMask mask = inputMask();
      for (unsigned k = 0; mask.p != 0.0f && k < received.numActive(); ++k) {
        products[k] *= mask.scale(sample, received.ids()[k]);
      }
    }
  }

  ValueMask inputMask() const { return maskOfBatch(phase, dropoutStream, fanIn, dropout); }

  // dL/dy of this tile's units, 0 for those that are not in the step's list.
  void receive(unsigned sample, float* dy) const {
    const List<Id> list{&ownLists[SlabShape{rows, ownWidth}.at(sample, 1)]};
    const float* recurrence = &gradients[static_cast<unsigned long>(sample) * rows * layerSize];
    for (unsigned i = 0; i < neurons; ++i) {
      dy[i] = 0.0f;
    }
    const float* fromOutside = nullptr;
    if (outsideSteps != 0) {
      const unsigned long row = static_cast<unsigned long>(sample) * outsideSteps;
      fromOutside = &outside[(row + control[kFirstStep]) * layerSize + firstNeuron];
    }
    forEachOwnEntry<Id>(list, firstNeuron, neurons, [&](unsigned k, unsigned i) {
      dy[i] = recurrence[k] + (fromOutside != nullptr ? fromOutside[i] : recurrence[layerSize + k]);
    });
  }

  template <unsigned W>
  void differentiate(unsigned sample, unsigned first, const float* a, const float* q, float* dp,
                     float* dq) {
    const unsigned long offset = static_cast<unsigned long>(neurons) * sample + first;
    const unsigned long slot = control[kReadSlot] - 1;
    const Row<W> c =
        loadRow<W>(&slots[slot * static_cast<unsigned long>(neurons) * samples + offset]);
    const GateRows<W> gates = gateRows<W>(a, q, neurons, first);
    const Row<W> dy = loadRow<W>(dp + first); // where receive() put it
    const GatedAdjoint<W> adj =
        stateAdjoint<model, W>(c, loadRow<W>(&threshold[first]), dy, loadRow<W>(&adjoint[offset]),
                               {dampening, inverseWidth, eventCost});
    storeRow<W>(&thresholdErrors[offset], adj.threshold);
    Row<W> moved = adj.state, held(0.0f); // by whether zoneout let the unit move
    if (zoneout != 0.0f && phase[kTraining] != 0) {
      splitByMask<W>(sample, first, moved, held);
    }
    storeRow<W>(&adjoint[offset], gates.keep * moved + held);
    const Row<W> leak = 1.0f - gates.keep;
    const Row<W> candidate = (1.0f - gates.candidate * gates.candidate) * (leak * moved);
    const Row<W> reset = gates.reset * (1.0f - gates.reset) * (gates.recurrent * candidate);
    // k (h[t-1] - g) = c[t] - g: the state before is not needed.
    const Row<W> keep = leak * ((c - gates.candidate) * moved);
    const auto put = [&](float* to, unsigned gate, Row<W> row) {
      storeRow<W>(to + static_cast<unsigned long>(gate) * neurons + first, row);
    };
    put(dp, 0, keep);
    put(dp, 1, reset);
    put(dp, 2, candidate);
    put(dq, 0, keep);
    put(dq, 1, reset);
    put(dq, 2, gates.reset * candidate);
  }

  template <unsigned W>
  void splitByMask(unsigned sample, unsigned first, Row<W>& moved, Row<W>& held) const {
    const unsigned element =
        (control[kFirstStep] * samples + sample) * layerSize + firstNeuron + first;
    for (unsigned i = 0; i < W; ++i) {
      if (dropped(maskHash(phase[kMaskKey], stream, element + i), zoneout)) {
        held[i] = moved[i];
        moved[i] = 0.0f;
      }
    }
  }
};

template class GatedBackward<unsigned short, GatedModel::Egru>;
template class GatedBackward<unsigned short, GatedModel::Gru>;
template class GatedBackward<unsigned, GatedModel::Egru>;
template class GatedBackward<unsigned, GatedModel::Gru>;
