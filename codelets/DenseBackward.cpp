// A block of steps of the adjoint of one tile's share of a spiking layer, latest step first, where
// every neuron receives a gradient.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Neuron.hpp"
#include "maths/Surrogate.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <NeuronModel model>
class DenseBackward : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  // Per tile above: [sample][row][neurons], d loss / d spike as that tile sees it; row j for the
  // spikes of the step before step j. Where all units run the same step (kGradientRow is 0), row 0
  // is what was sent for this step.
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> above;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> own; // the same of a recurrent layer
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> slots; // [slot][sample][state floats][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>>
      countGradient;                                      // [sample][neurons]; added at every step
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> carried; // [sample][neurons]; row 0 of the block
                                                          // after this one, summed over tiles above
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> adjoint; // [sample][state floats][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> scaled; // [sample][row][neurons]; gain * adjoint

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const bool hasAbove, recurrent;
  const bool counting;  // countGradient is used
  const bool gateReset; // the adjoint does not pass a reset
  const float alpha, gain, theta, rho, beta;
  const unsigned surrogateShape;
  const float surrogateInverseWidth, surrogateScale;

  // Step by step over whole rows of neurons, which memory delivers faster than one column's steps.
  bool compute(unsigned worker) {
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      for (unsigned j = control[kNumSteps]; j-- > 0;) {
        forEachRowBlock<kRow>(neurons, [&](auto blockWidth, unsigned first) {
          step<decltype(blockWidth)::value>(sample, j, first);
        });
      }
      forEachRowBlock<kRow>(neurons, [&](auto blockWidth, unsigned first) {
        constexpr unsigned W = decltype(blockWidth)::value;
        storeRow<W>(&carried[static_cast<unsigned long>(sample) * neurons + first],
                    sentFromAbove<W>(placeOf(sample, 0) + first));
      });
    }
    return true;
  }

  unsigned long estimateCycles() const {
    // Per step the adjoint and the surrogate (a division), and a load and an add per tile above.
    const unsigned long pairs = (neurons + 1) / 2;
    const unsigned long tiles = (hasAbove ? above.size() : 0) + (recurrent ? own.size() : 0);
    const unsigned long step = stepInstructions(neurons) + 12 * neurons + 2 * tiles * pairs;
    return tileCycles(slowestWorker(samples, [&](unsigned) { return control[kNumSteps] * step; }));
  }

private:
  static constexpr unsigned kFloats = kStateFloats<model>;
  static constexpr long kAhead = 4;
  static constexpr unsigned kRow = kWidestRow < 32 ? kWidestRow : kWidestRow / 2;

  unsigned long placeOf(unsigned sample, unsigned row) const {
    return (static_cast<unsigned long>(sample) * blockSteps + row) * neurons;
  }

  template <unsigned W>
  void step(unsigned sample, unsigned j, unsigned first) {
    const unsigned long stateSize = static_cast<unsigned long>(kFloats) * neurons;
    const unsigned long inSample = static_cast<unsigned long>(sample) * neurons + first;
    const NeuronConstants constants{alpha, gain, theta, rho, beta};
    const SurrogateConstants slope{static_cast<SurrogateShape>(surrogateShape),
                                   surrogateInverseWidth, surrogateScale};
    const float* state =
        &slots[((control[kReadSlot] - 1ul + j) * samples + sample) * stateSize + first];
    // Wanted a few steps on, of this sample or the next: steps lie far apart, and rows are short.
    const long slotSize = static_cast<long>(stateSize) * samples, turn = j >= kAhead ? 0 : 1;
    fetchAhead<W>(state + (turn * control[kNumSteps] - kAhead) * slotSize + turn * stateSize);
    Row<W> gradient = arriving<W>(sample, j, first);
    if (counting) {
      gradient += loadRow<W>(&countGradient[inSample]);
    }
    if (recurrent) {
      gradient += sumOver<W>(own, placeOf(sample, 0) + first);
    }
    float* adj = &adjoint[sample * stateSize + first];
    NeuronState<model, W> back = loadState<model, W>(adj, neurons);
    stepBack(back, loadState<model, W>(state, neurons), gradient, constants, slope, gateReset);
    storeState<model, W>(back, adj, neurons);
    storeRow<W>(&scaled[placeOf(sample, j) + first], constants.gain * back.potential);
  }

  // d loss / d spike of step j: what the step after it received.
  template <unsigned W>
  Row<W> arriving(unsigned sample, unsigned j, unsigned first) const {
    if (control[kGradientRow] == 0) {
      return sentFromAbove<W>(placeOf(sample, 0) + first);
    }
    return j + 1 == control[kNumSteps]
               ? loadRow<W>(&carried[static_cast<unsigned long>(sample) * neurons + first])
               : sentFromAbove<W>(placeOf(sample, j + 1) + first);
  }

  template <unsigned W>
  Row<W> sentFromAbove(unsigned long at) const {
    return hasAbove ? sumOver<W>(above, at) : Row<W>(0.0f);
  }

  template <unsigned W, class Pieces>
  static Row<W> sumOver(const Pieces& pieces, unsigned long at) {
    Row<W> sum(0.0f);
    for (unsigned tile = 0; tile < pieces.size(); ++tile) {
      sum += loadRow<W>(&pieces[tile][at]);
    }
    return sum;
  }

  template <unsigned W>
  static void stepBack(NeuronState<model, W>& back, const NeuronState<model, W>& at,
                       Row<W> gradient, const NeuronConstants& c, const SurrogateConstants& slope,
                       bool gate) {
    const Row<W> distance = at.potential - thresholdOf(at, c);
    if (gate) {
      back.potential = distance > 0.0f ? Row<W>(0.0f) : back.potential;
    }
    if constexpr (model == NeuronModel::Alif) {
      gradient += (1.0f - c.rho) * back.adaptation;
    }
    const Row<W> change = surrogateRow<W>(distance, slope) * gradient;
    back.potential = c.alpha * back.potential + change;
    if constexpr (model == NeuronModel::Alif) {
      back.adaptation = c.rho * back.adaptation - c.beta * change;
    }
  }
};

template class DenseBackward<NeuronModel::Lif>;
template class DenseBackward<NeuronModel::Alif>;
