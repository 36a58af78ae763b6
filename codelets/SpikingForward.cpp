// A block of steps of one tile's share of a spiking layer: gather weight rows, update, threshold.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Gather.hpp"
#include "maths/Neuron.hpp"
#include "maths/ReadThrough.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id, NeuronModel model, ResetRule reset>
class SpikingForward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;         // slab of what the layer receives
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // slab of its own spikes (recurrent layers)
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [fan-in + recurrent fan-in][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;    // [neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> slots;   // [slot][sample][state floats][neurons]
  Output<Vector<unsigned char, VectorLayout::ONE_PTR>>
      masks; // [sample][row][spike, gradient][maskBytes]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>>
      spikeCounts; // [sample][neurons]; read where counting

  Output<Vector<float, VectorLayout::ONE_PTR, 8>>
      distances; // [sample][row][neurons]; potential - threshold, written where caching

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps; // rows of the masks
  const unsigned rows, width;
  const unsigned ownRows, ownWidth;
  const unsigned fanIn;
  const bool recurrent;
  const bool counting;
  const bool spikesOnly; // every neuron receives a gradient: no need to say which
  const bool caching;
  const float alpha, gain, theta, rho, beta;
  const float
      gradientMargin; // a neuron takes part in the gradient when potential > threshold + margin

  bool compute(unsigned worker) {
    if (numWorkers() == 1) {
      readRowsThrough<Id>(*this, control[kListRow], [](List<Id> list) { return list.numSpikes(); });
    }
    // A block of columns stays in the nearest cache while all samples' lists pass over it.
    forEachRowBlock(control[kNumSteps] != 0 ? neurons : 0, [&](auto blockWidth, unsigned first) {
      for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
        runBlock<decltype(blockWidth)::value>(sample, first);
      }
    });
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    return tileCycles(slowestWorker(samples, [&](unsigned sample) {
      unsigned long work = 20;
      for (unsigned j = 0; j < steps; ++j) {
        unsigned long spikes = lists[slab.at(sample, control[kListRow] + j)];
        spikes += recurrent ? ownLists[own.at(sample, control[kCarryRow] + j)] : 0u;
        work += spikes * gatherInstructions(neurons) + stepInstructions(neurons) +
                (recurrent ? 2 : 1) * gatherListInstructions(neurons);
        work += control[kLight] != 0 ? 0 : maskInstructions(neurons) + (caching ? neurons + 2 : 0);
      }
      return steps == 0 ? 0 : work;
    }));
  }

private:
  template <unsigned W>
  void runBlock(unsigned sample, unsigned first) {
    const unsigned steps = control[kNumSteps];
    const bool keepAll = control[kKeepAll] != 0;
    const bool light = control[kLight] != 0;
    const NeuronConstants constants{alpha, gain, theta, rho, beta};
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    const unsigned long stateSize = kStateFloats<model> * static_cast<unsigned long>(neurons);
    const unsigned long slotSize = stateSize * samples;
    const unsigned long offset = stateSize * sample + first;

    NeuronState<model, W> state{Row<W>(0.0f), Row<W>(0.0f)};
    if (control[kReadSlot] != 0) {
      state = loadState<model, W>(&slots[(control[kReadSlot] - 1) * slotSize + offset], neurons);
    }
    float* keep = &slots[control[kWriteSlot] * slotSize + offset];
    const Row<W> constant = loadRow<W>(&bias[first]);
    for (unsigned j = 0; j < steps; ++j) {
      Row<W> current = gatherRows<Id, W>(constant, {&lists[slab.at(sample, control[kListRow] + j)]},
                                         &weights[first], neurons);
      if (recurrent) {
        current = gatherRows<Id, W>(current, {&ownLists[own.at(sample, control[kCarryRow] + j)]},
                                    &weights[static_cast<unsigned long>(fanIn) * neurons + first],
                                    neurons);
      }
      stepNeurons<model, reset>(state, current, constants);
      if (keepAll || j + 1 == steps) {
        storeState<model, W>(state, keep, neurons);
        keep += slotSize;
        fetchAhead<W>(keep);
      }
      if (!light) {
        emit(state, constants, sample, j, first);
      }
    }
  }

  template <unsigned W>
  void emit(const NeuronState<model, W>& state, const NeuronConstants& constants, unsigned sample,
            unsigned row, unsigned first) {
    const unsigned maskBytes = (neurons + 7) / 8;
    const Row<W> threshold = thresholdOf(state, constants);
    const RowMask<W> spiked = state.potential > threshold;
    unsigned char* mask =
        &masks[(static_cast<unsigned long>(sample) * blockSteps + row) * 2 * maskBytes];
    putBits<W>(mask, first, spiked);
    if (!spikesOnly) {
      putBits<W>(mask + maskBytes, first, state.potential > threshold + gradientMargin);
    }
    if (caching) {
      storeRow<W>(
          &distances[(static_cast<unsigned long>(sample) * blockSteps + row) * neurons + first],
          state.potential - threshold);
    }
    if (counting) {
      float* counts = &spikeCounts[static_cast<unsigned long>(sample) * neurons + first];
      storeRow<W>(counts, loadRow<W>(counts) + (spiked ? Row<W>(1.0f) : Row<W>(0.0f)));
    }
  }
};

template class SpikingForward<unsigned short, NeuronModel::Lif, ResetRule::ToZero>;
template class SpikingForward<unsigned short, NeuronModel::Lif, ResetRule::Subtract>;
template class SpikingForward<unsigned short, NeuronModel::Alif, ResetRule::ToZero>;
template class SpikingForward<unsigned short, NeuronModel::Alif, ResetRule::Subtract>;
template class SpikingForward<unsigned, NeuronModel::Lif, ResetRule::ToZero>;
template class SpikingForward<unsigned, NeuronModel::Lif, ResetRule::Subtract>;
template class SpikingForward<unsigned, NeuronModel::Alif, ResetRule::ToZero>;
template class SpikingForward<unsigned, NeuronModel::Alif, ResetRule::Subtract>;
