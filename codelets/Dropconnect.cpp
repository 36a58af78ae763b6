// Recurrent weights that a batch is trained without (docs/egru.md, "Masks").
#include "maths/Cycles.hpp"
#include "maths/GatedUnit.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// Which weights of a tile a batch keeps; the host numbers them row by row, [gate][unit of the
// layer].
struct Connections {
  unsigned key, stream;
  unsigned layerSize, firstNeuron, neurons;
  float p;

  // What the weight at [row][gate][neuron] of the tile is multiplied with.
  float factor(unsigned long at) const {
    const unsigned columns = 3 * neurons;
    const unsigned row = static_cast<unsigned>(at / columns);
    const unsigned column = static_cast<unsigned>(at % columns);
    const unsigned element =
        row * 3 * layerSize + column / neurons * layerSize + firstNeuron + column % neurons;
    return dropped(maskHash(key, stream, element), p) ? 0.0f : 1.0f / (1.0f - p);
  }
};

class ConnectWeights : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;      // PhaseWord
  Input<Vector<float, VectorLayout::SPAN, 8>> weights;       // [layer size][gate][neurons]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> connected; // likewise
  const unsigned neurons, firstNeuron, layerSize, stream;
  const float p;

  bool compute(unsigned worker) {
    const Connections kept{phase[kMaskKey], stream, layerSize, firstNeuron, neurons, p};
    const Slice slice = workerSlice(weights.size(), worker, numWorkers());
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      connected[i] = weights[i] * (phase[kTraining] != 0 ? kept.factor(i) : 1.0f);
    }
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(20 + 24 * weights.size() / kWorkers); }
};

class ConnectGradients : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase; // PhaseWord
  InOut<Vector<float, VectorLayout::SPAN, 8>> gradient; // [layer size][gate][neurons]
  const unsigned neurons, firstNeuron, layerSize, stream;
  const float p;

  bool compute(unsigned worker) {
    const Connections kept{phase[kMaskKey], stream, layerSize, firstNeuron, neurons, p};
    const Slice slice = workerSlice(gradient.size(), worker, numWorkers());
    for (unsigned long i = slice.begin; i < slice.end && phase[kTraining] != 0; ++i) {
      gradient[i] *= kept.factor(i);
    }
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(20 + 24 * gradient.size() / kWorkers); }
};
