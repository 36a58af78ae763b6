// The second part of the adjoint of gated units in the paper's convention: through the reset gates,
// and back to the entries of the lists the layer read.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"
#include "maths/ListErrors.hpp"
#include "maths/PaperUnit.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class PaperReset : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;   // ControlWord
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;     // PhaseWord
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;        // slab of what the layer received
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> ownLists;     // row 0: of the step before
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> resets;    // [sample][room][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights;   // [fan-in][gate][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> recurrent; // [layer size][gate][neurons]
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>>
      candidatePartials;                                           // per tile: [sample][entry]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> stateErrors;      // [sample][neurons]; D
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> inputErrors;      // [sample][gate][neurons]; p
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> recurrentErrors; // likewise; not the candidate's
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;    // [sample][entry of the list received]
  Output<Vector<float, VectorLayout::ONE_PTR>> ownPartials; // [sample][entry of ownLists' row 0]

  const unsigned neurons, firstNeuron, layerSize, fanIn, samples;
  const unsigned rows, width, capacity, ownWidth;
  const unsigned room;
  const unsigned dropoutStream;
  const float dropout;
  const bool propagate; // false: nobody below wants the partials

  bool compute(unsigned worker) {
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      passSample(sample);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{rows, ownWidth};
    return tileCycles(slowestWorker(control[kNumSteps] != 0 ? samples : 0, [&](unsigned sample) {
      unsigned long products = ownLists[own.at(sample, 0) + 1];
      products += propagate ? lists[slab.at(sample, control[kListRow]) + 1] : 0u;
      return 40 + products * eventInstructions(3 * neurons);
    }));
  }

private:
  void passSample(unsigned sample) {
    const List<Id> received{&lists[SlabShape{rows, width}.at(sample, control[kListRow])]};
    const List<Id> before{&ownLists[SlabShape{rows, ownWidth}.at(sample, 0)]};
    float* p = &inputErrors[3ul * neurons * sample];
    float* q = &recurrentErrors[3ul * neurons * sample];
    for (unsigned i = 0; i < neurons; ++i) {
      q[i] = p[i];
      q[neurons + i] = q[2 * neurons + i] = 0.0f;
    }
    const float* gate = &resets[static_cast<unsigned long>(sample) * room * neurons];
    forEachOwnEntry<Id>(before, firstNeuron, neurons, [&](unsigned k, unsigned i) {
      if (k < before.numSpikes()) {
        const float slope = gate[i] * (1.0f - gate[i]) * before.values(layerSize)[k];
        p[neurons + i] = q[neurons + i] = slope * throughCandidates(sample, k);
      }
    });
    float* products = &ownPartials[static_cast<unsigned long>(sample) * layerSize];
    dotActive<Id>(before, &recurrent[0], 3 * neurons, q, products);
    const float* state = &stateErrors[static_cast<unsigned long>(sample) * neurons];
    forEachOwnEntry<Id>(before, firstNeuron, neurons, [&](unsigned k, unsigned i) {
      products[k] += gate[i] * throughCandidates(sample, k) - state[i];
    });
    if (propagate) {
      sendBelow(sample, received, p);
    }
  }

  float throughCandidates(unsigned sample, unsigned k) {
    float sum = 0.0f;
    for (unsigned tile = 0; tile < candidatePartials.size(); ++tile) {
      sum += candidatePartials[tile][static_cast<unsigned long>(sample) * layerSize + k];
    }
    return sum;
  }

  void sendBelow(unsigned sample, List<Id> received, const float* p) {
    float* products = &partials[static_cast<unsigned long>(sample) * capacity];
    dotActive<Id>(received, &weights[0], 3 * neurons, p, products);
    const ValueMask mask = maskOfBatch(phase, dropoutStream, fanIn, dropout);
    for (unsigned k = 0; mask.p != 0.0f && k < received.numActive(); ++k) {
      products[k] *= mask.scale(sample, received.ids()[k]);
    }
  }
};

// Values of a layer's own lists, turned round, times the reset gates of the units that sent them.
class GateTurnedLists : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<unsigned, VectorLayout::SPAN>> begins;     // as TurnLists made them
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Input<Vector<float, VectorLayout::ONE_PTR>> entryValues;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> gates; // per tile: its resets
  Output<Vector<float, VectorLayout::ONE_PTR>> gatedValues;
  const unsigned room, neuronsPerTile;

  bool compute() {
    const unsigned size = static_cast<unsigned>(begins.size()) - 1;
    const ResetsOf where{room, neuronsPerTile, size};
    for (unsigned id = 0; control[kNumSteps] != 0 && id < size; ++id) {
      for (unsigned at = begins[id]; at < begins[id + 1]; ++at) {
        gatedValues[at] =
            entryValues[at] * gates[where.tile(id)][where.at(id, entrySamples[at], 0)];
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return 20 + control[kNumSteps] * (4ul * begins.size() + 12ul * begins[begins.size() - 1]);
  }
};

template class PaperReset<unsigned short>;
template class PaperReset<unsigned>;
