// A block of steps of the adjoint of one tile's share of a spiking layer, latest step first, where
// the neurons of a list receive a gradient.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"
#include "maths/Neuron.hpp"
#include "maths/Surrogate.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id, NeuronModel model>
class SpikingBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // the layer's: row ownFirst + j for step j
  Input<Vector<float, VectorLayout::ONE_PTR>>
      gradients; // [sample][row][entry of the own list]; row gradientFirst + j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots; // [slot][sample][state floats][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      countGradient; // [sample][neurons]; added at every spike
  Input<Vector<float, VectorLayout::ONE_PTR>>
      values; // [sample][step of the block][entry of the own list]; distances to the threshold,
              // where cached
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint; // [sample][state floats][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> scaled; // [sample][row][neurons]; gain * adjoint

  const unsigned neurons;
  const unsigned firstNeuron; // of this tile, as an id of the layer
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned ownRows, ownFirst, ownWidth;
  const unsigned gradientRows, gradientFirst;
  const bool counting;  // countGradient is used
  const bool cached;    // values stand in for the states
  const bool gateReset; // the adjoint does not pass a reset
  const float alpha, gain, theta, rho, beta;
  const unsigned surrogateShape;
  const float surrogateInverseWidth, surrogateScale;

  bool compute(unsigned worker) {
    const unsigned steps = control[kNumSteps];
    for (unsigned sample = worker; steps != 0 && sample < samples; sample += numWorkers()) {
      for (unsigned j = steps; j-- > 0;) {
        step(sample, j);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned steps = control[kNumSteps];
    // Two searches of about six probes, then the decay.
    const unsigned long step = 2 * 6 * 6 + stepInstructions(neurons);
    return tileCycles(slowestWorker(samples, [&](unsigned) { return steps * step; }));
  }

private:
  static constexpr unsigned kFloats = kStateFloats<model>;

  void step(unsigned sample, unsigned j) {
    const SlabShape own{ownRows, ownWidth};
    const unsigned long row = static_cast<unsigned long>(sample) * blockSteps + j;
    const unsigned long stateSize = static_cast<unsigned long>(kFloats) * neurons;
    const unsigned long slot = cached ? 0 : control[kReadSlot] - 1 + j;
    const float* state = &slots[(slot * samples + sample) * stateSize];
    float* adj = &adjoint[sample * stateSize];
    float* scaledRow = &scaled[row * neurons];

    decay(adj, state, scaledRow);
    const List<Id> active{&ownLists[own.at(sample, ownFirst + j)]};
    const unsigned long gradientRow =
        static_cast<unsigned long>(sample) * gradientRows + gradientFirst + j;
    const float* gradient = &gradients[gradientRow * (ownWidth - kListHeader)];
    const float* value = &values[cached ? row * (ownWidth - kListHeader) : 0];
    receive(active, 0, active.numSpikes(), gradient, value, sample, state, scaledRow, adj);
    receive(active, active.numSpikes(), active.numActive(), gradient, value, sample, state,
            scaledRow, adj);
    if constexpr (model == NeuronModel::Alif) {
      scaleRow(adj, gain, scaledRow, neurons);
    }
  }

  // One step back through the leak, and what is scaled by then: receive() mends its entries. What
  // an adaptation's adjoint was is still needed, and kept in the scaled row meanwhile.
  void decay(float* adj, const float* state, float* scaledRow) const {
    if (gateReset) {
      for (unsigned i = 0; i < neurons; ++i) {
        adj[i] = state[i] > thresholdAt(state, i) ? 0.0f : adj[i];
      }
    }
    if constexpr (model == NeuronModel::Alif) {
      scaleRow(adj, alpha, adj, neurons);
      scaleRow(adj + neurons, 1.0f, scaledRow, neurons);
      scaleRow(adj + neurons, rho, adj + neurons, neurons);
    } else {
      scaleRowTwice(adj, alpha, gain, scaledRow, neurons);
    }
  }

  float thresholdAt(const float* state, unsigned i) const {
    return model == NeuronModel::Alif ? theta + beta * state[neurons + i] : theta;
  }

  // The gradient of the spikes [begin, end) of an ascending part of the list that belong to this
  // tile.
  void receive(List<Id> active, unsigned begin, unsigned end, const float* gradient,
               const float* value, unsigned sample, const float* state, float* scaledRow,
               float* adj) const {
    const SurrogateConstants constants{static_cast<SurrogateShape>(surrogateShape),
                                       surrogateInverseWidth, surrogateScale};
    const Id* ids = active.ids();
    for (unsigned k = lowerBound(ids, begin, end, firstNeuron);
         k < end && ids[k] < firstNeuron + neurons; ++k) {
      const unsigned i = ids[k] - firstNeuron;
      float g = gradient[k];
      if (counting) {
        g += countGradient[static_cast<unsigned long>(sample) * neurons + i];
      }
      if constexpr (model == NeuronModel::Alif) {
        g += (1.0f - rho) * scaledRow[i]; // the adaptation's adjoint before
      }
      const float distance = cached ? value[k] : state[i] - thresholdAt(state, i);
      const float change = surrogate(distance, constants) * g;
      adj[i] += change;
      if constexpr (model == NeuronModel::Alif) {
        adj[neurons + i] -= beta * change;
      } else {
        scaledRow[i] = gain * adj[i];
      }
    }
  }
};

template class SpikingBackward<unsigned short, NeuronModel::Lif>;
template class SpikingBackward<unsigned short, NeuronModel::Alif>;
template class SpikingBackward<unsigned, NeuronModel::Lif>;
template class SpikingBackward<unsigned, NeuronModel::Alif>;
