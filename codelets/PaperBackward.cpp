// A step of the adjoint of gated units in the paper's convention (docs/egru.md), in two parts: what
// goes back through the candidates must be summed over tiles before it can pass the reset gates.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"
#include "maths/ListErrors.hpp"
#include "maths/PaperUnit.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// Through event, leak, update gate and candidate.
template <typename Id>
class PaperAdjoint : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of what the layer received
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>>
      ownLists; // row 0: of the step before, row 1: of the step
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> gates; // per tile: its resets
  Input<Vector<float, VectorLayout::ONE_PTR>>
      gradients; // [sample][from the recurrence, from above][entry of the step's own list]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      outside; // [sample][step][unit of the layer]; dL/dy, where it does not come from a unit above
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;          // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent;        // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;             // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> threshold;        // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots;            // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint;          // [sample][neurons]; dL/dc
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> stateErrors;     // [sample][neurons]; D
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> inputErrors;     // [sample][gate][neurons]; p
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> candidateErrors; // the candidate's alone
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> thresholdErrors; // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR>>
      candidatePartials;                                  // [sample][entry of ownLists' row 0]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> kept;       // [worker][width]; scratch
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> gatedLists; // [worker][ownWidth]; scratch

  const unsigned neurons, firstNeuron, layerSize, fanIn, samples;
  const unsigned rows, width, capacity, ownWidth;
  const unsigned room, neuronsPerTile; // of the resets
  const unsigned dropoutStream;
  const float dropout;
  const float dampening, inverseWidth, eventCost;
  const unsigned outsideSteps; // 0: dL/dy comes from the unit above, through `gradients`

  bool compute(unsigned worker) {
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      differentiateSample(sample, worker);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    return tileCycles(slowestWorker(control[kNumSteps] != 0 ? samples : 0, [&](unsigned sample) {
      const unsigned long before = own.at(sample, 0);
      const unsigned long products =
          lists[slab.at(sample, control[kListRow])] + ownLists[before] + ownLists[before + 1];
      return 40 + products * eventInstructions(2 * neurons) + 2 * gateInstructions(neurons);
    }));
  }

private:
  void differentiateSample(unsigned sample, unsigned worker) {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const ValueMask mask = maskOfBatch(phase, dropoutStream, fanIn, dropout);
    const List<Id> received =
        maskedList<Id>({&lists[slab.at(sample, control[kListRow])]}, capacity, mask, sample, kept,
                       static_cast<unsigned long>(worker) * width);
    const List<Id> before{&ownLists[own.at(sample, 0)]};
    const List<Id> gated =
        gatedList<Id>(before, layerSize, ResetsOf{room, neuronsPerTile, layerSize}, gates, sample,
                      0, &gatedLists[static_cast<unsigned long>(worker) * ownWidth]);
    float* p = &inputErrors[3ul * neurons * sample];
    float* candidate = &candidateErrors[3ul * neurons * sample];
    receive(sample, p, p + neurons, before);
    forEachRowBlock<kElementRow>(neurons, [&](auto blockWidth, unsigned first) {
      constexpr unsigned W = decltype(blockWidth)::value;
      const PaperGates<W> rowGates =
          paperGates<Id, W>(received, capacity, before, gated, layerSize,
                            {&weights[0], &recurrent[0], &bias[0]}, neurons, first);
      differentiate<W>(sample, first, rowGates, p, candidate);
    });
    dotActive<Id>(before, &recurrent[0], 3 * neurons, candidate,
                  &candidatePartials[static_cast<unsigned long>(sample) * layerSize]);
  }

  // dL/dy[t] and y[t-1] of this tile's units, 0 for those that are not in the lists.
  void receive(unsigned sample, float* dy, float* yBefore, List<Id> before) const {
    receiveGradients<Id>(*this, sample, nullptr, dy);
    for (unsigned i = 0; i < neurons; ++i) {
      yBefore[i] = 0.0f;
    }
    forEachOwnEntry<Id>(before, firstNeuron, neurons, [&](unsigned k, unsigned i) {
      yBefore[i] = k < before.numSpikes() ? before.values(layerSize)[k] : 0.0f;
    });
  }

  template <unsigned W>
  void differentiate(unsigned sample, unsigned first, const PaperGates<W>& rowGates, float* p,
                     float* candidate) {
    const unsigned long at = static_cast<unsigned long>(neurons) * sample + first;
    const unsigned long slot = control[kReadSlot] - 1;
    const Row<W> c = loadRow<W>(&slots[slot * neurons * samples + at]);
    const Row<W> theta = loadRow<W>(&threshold[first]), zero(0.0f);
    const Row<W> dy = loadRow<W>(p + first), yBefore = loadRow<W>(p + neurons + first);
    const Row<W> v = c - theta;
    const Row<W> height = 1.0f - (v < zero ? -v : v) * inverseWidth;
    const Row<W> psi = dampening * (height > zero ? height : zero);
    const Row<W> throughEvent = psi * (c * dy + eventCost);
    const Row<W> dc =
        withoutTraces<W>((c > theta ? dy : zero) + throughEvent + loadRow<W>(&adjoint[at]));
    const Row<W> u = rowGates.update, z = rowGates.candidate;
    const Row<W> pz = (1.0f - z * z) * (u * dc);
    storeRow<W>(&thresholdErrors[at], -throughEvent);
    storeRow<W>(&adjoint[at], (1.0f - u) * dc);
    storeRow<W>(&stateErrors[at], dc);
    // (1 - u)(z - c[t-1]) = z - c[t] - y[t-1]: the state before is not needed.
    storeRow<W>(p + first, u * ((z - c - yBefore) * dc));
    storeRow<W>(p + neurons + first, zero); // the reset gate's, which PaperReset works out
    storeRow<W>(p + 2ul * neurons + first, pz);
    storeRow<W>(candidate + first, zero);
    storeRow<W>(candidate + neurons + first, zero);
    storeRow<W>(candidate + 2ul * neurons + first, pz);
  }
};

template class PaperAdjoint<unsigned short>;
template class PaperAdjoint<unsigned>;
