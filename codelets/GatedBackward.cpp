// A step of the adjoint of one tile's share of a layer of gated units. Gates are not stored: they
// are gathered again from the stored events.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/GatedGather.hpp"
#include "maths/ListErrors.hpp"
#include "maths/SamplePanel.hpp"
#include "maths/Zoneout.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id, GatedModel model>
class GatedBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of what the layer received
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists;   // of the step before, and of the step
  // [sample][from the recurrence, from above][entry of the step's own list].
  Input<Vector<float, VectorLayout::ONE_PTR>> gradients;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;             // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent;           // [layer size][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias, recurrentBias; // [gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> threshold;           // [neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots;               // [slot][sample][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint;             // [sample][neurons]; dL/dh
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> inputErrors,
      recurrentErrors; // [room][sample][gate][neurons]; dp, dq
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> thresholdErrors; // [sample][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR>> partials; // [sample][entry of the list received]
  // [sample][entry of ownLists' row 0]. Not alone: dq for RecurrentProduct, [group of
  // samples][gate][neurons][lane], and what it made of the last one, likewise without the gate.
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> ownPartials;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrence;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> sums; // [worker][sample][a, q][gate][neurons]
  InOut<Vector<Id, VectorLayout::ONE_PTR, 8>> kept;    // [worker][sample][width]; for dropout
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> products, ownProducts; // as errors; formed ahead
  // [index of the history][sample][keptStride()], [kKeptGates][neurons] where gates are kept. Where
  // errors are, they take the place of the gates: dp, and the candidate's part of dq.
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gates;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      outside; // [sample][step][unit of the layer]; dL/dy, where it does not come from a unit above

  const unsigned neurons, firstNeuron, layerSize, fanIn, samples; // the first as the layer's id
  const unsigned rows, width, capacity, ownWidth; // the own lists' capacity is the layer's size
  const unsigned stream, dropoutStream;
  const bool propagate; // false: nobody below wants the partials
  const bool alone;     // false: AheadProduct made the products, other vertices send back
  const bool keepsGates, keepsErrors;
  const unsigned room;                            // steps of errors
  const float dampening, inverseWidth, eventCost; // the last: what an event adds to the loss
  const float zoneout, dropout;
  const unsigned outsideSteps; // 0: dL/dy comes from the unit above, through `gradients`

  bool compute(unsigned worker) {
    if (control[kNumSteps] == 0) {
      return true;
    }
    const unsigned long n = neurons, place = 3 * n * errorPlace(control, room) * samples;
    if (!alone) { // what came through the recurrence waits where dq will be
      spreadPanels(&recurrence[0], neurons, samples, &recurrentErrors[place], 3 * n);
    }
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      const unsigned long at = place + 3 * n * sample;
      float* dq = &recurrentErrors[at];
      if (keepsGates) {
        const unsigned long index = control[kFirstStep] + control[kHistoryOffset];
        float* kept = &gates[(index * samples + sample) * keptStride(n)];
        differentiateSample(sample, kept, nullptr, keepsErrors ? kept : &inputErrors[at], dq);
      } else if (alone) {
        const auto sum = gatherGates<Id>(*this, sample, 1, worker, control[kListRow], 0, {});
        float* dp = &inputErrors[at];
        differentiateSample(sample, sum.a[0], sum.q[0], dp, dq);
        sendBack(sample, dp, dq);
      } else {
        differentiateSample(sample, &products[at], &ownProducts[at], &inputErrors[at], dq);
      }
    }
    if (!alone) {
      packPanels(&recurrentErrors[place], 3 * neurons, samples, &ownPartials[0]);
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
  void differentiateSample(unsigned sample, const float* a, const float* q, float* dp, float* dq) {
    float* dy = keepsErrors ? &sums[0] : dp; // gates that are kept lie where dp will be
    receiveGradients<Id>(*this, sample, alone ? nullptr : dq, dy);
    forEachRowBlock<kElementRow>(neurons, [&](auto blockWidth, unsigned first) {
      differentiate<decltype(blockWidth)::value>(sample, first, a, q, dy, dp, dq);
    });
  }

  void sendBack(unsigned sample, const float* dp, const float* dq) {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    const List<Id> received{&lists[slab.at(sample, control[kListRow])]};
    dotActive<Id>({&ownLists[own.at(sample, 0)]}, &recurrent[0], 3 * neurons, dq,
                  &ownPartials[static_cast<unsigned long>(sample) * layerSize]);
    if (propagate) {
      float* to = &partials[static_cast<unsigned long>(sample) * capacity];
      dotActive<Id>(received, &weights[0], 3 * neurons, dp, to);
      maskProducts<Id>(received, maskOfBatch(phase, dropoutStream, fanIn, dropout), sample, to);
    }
  }

  template <unsigned W>
  void differentiate(unsigned sample, unsigned first, const float* a, const float* q,
                     const float* gradient, float* dp, float* dq) {
    const unsigned long n = neurons, offset = n * sample + first;
    const Row<W> c = loadRow<W>(&slots[(control[kReadSlot] - 1) * n * samples + offset]);
    const GateRows<W> now =
        keepsGates ? keptRows<W>(a, neurons, first) : gateRows<W>(a, q, neurons, first);
    const Row<W> dy = loadRow<W>(gradient + first);
    const GatedAdjoint<W> adj =
        stateAdjoint<model, W>(c, loadRow<W>(&threshold[first]), dy, loadRow<W>(&adjoint[offset]),
                               {dampening, inverseWidth, eventCost});
    storeRow<W>(&thresholdErrors[offset], adj.threshold);
    const bool holds = zoneout != 0.0f && phase[kTraining] != 0;
    const auto [moved, held] =
        holds ? splitByMask<W>(adj.state, zoneoutMask(*this, sample, control[kFirstStep], first))
              : ZoneoutAdjoint<W>{adj.state, Row<W>(0.0f)};
    storeRow<W>(&adjoint[offset], now.keep * moved + held);
    const GateErrors<W> errors = gateErrors<W>(now, c, moved);
    const Row<W> candidate = now.reset * errors.candidate; // of dq
    storeGates<W>(dp, neurons, first, errors);
    if (keepsErrors) {
      storeRow<W>(dp + 3 * n + first, candidate);
    }
    storeGates<W>(dq, neurons, first, {errors.keep, errors.reset, candidate});
  }
};

template class GatedBackward<unsigned short, GatedModel::Egru>;
template class GatedBackward<unsigned short, GatedModel::Gru>;
template class GatedBackward<unsigned, GatedModel::Egru>;
template class GatedBackward<unsigned, GatedModel::Gru>;
