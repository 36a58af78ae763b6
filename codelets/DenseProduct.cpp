// What a tile sends back to a whole layer below: the product of its adjoints with its weights.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/MatrixProduct.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class DenseProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [fanIn][neurons]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;  // [sample][row][neurons]
  // By tile of the layer below: [sample][row][neurons of that tile], so that each receives one
  // contiguous piece.
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> partials;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>>
      panels; // [worker][neurons][kMostPanelWidth]; scratch

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned fanIn;
  const unsigned neuronsPerTileBelow; // the last tile may hold fewer

  bool compute(unsigned worker) {
    if (control[kNumSteps] != 0) {
      for (unsigned tile = 0; tile * neuronsPerTileBelow < fanIn; ++tile) {
        multiplyTile(tile, worker);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    // Per sum of a panel: load two factors and the column pair, two multiply-adds on float2.
    const unsigned long rows = static_cast<unsigned long>(control[kNumSteps]) * samples;
    const unsigned long pairs = (fanIn + 1) / 2;
    return tileCycles(20 + (rows * (4 + neurons * pairs * 2) + 3ul * fanIn * neurons) / kWorkers);
  }

private:
  void multiplyTile(unsigned tile, unsigned worker) {
    const unsigned begin = tile * neuronsPerTileBelow;
    const unsigned held = fanIn - begin < neuronsPerTileBelow ? fanIn - begin : neuronsPerTileBelow;
    const unsigned long outputs = static_cast<unsigned long>(samples) * blockSteps;
    float* to = &partials[outputs * begin];
    float* panel = &panels[static_cast<unsigned long>(worker) * neurons * kPanelWidth];
    for (unsigned i = worker * kPanelWidth; i < held; i += numWorkers() * kPanelWidth) {
      const unsigned count = held - i < kPanelWidth ? held - i : kPanelWidth;
      packPanel(&weights[static_cast<unsigned long>(begin + i) * neurons], neurons, count, panel);
      multiplyRows(panel, count, to + i, held);
    }
  }

  // A block may be shorter than its room: then each sample's rows are apart from the next one's.
  void multiplyRows(const float* panel, unsigned count, float* to, unsigned stride) {
    const unsigned steps = control[kNumSteps];
    const bool filled = steps == blockSteps;
    const unsigned rows = filled ? samples * steps : steps;
    for (unsigned sample = 0; sample < samples; sample += filled ? samples : 1) {
      const unsigned long row = static_cast<unsigned long>(sample) * blockSteps;
      multiplyRowsBy<ProductSum::Start>({&scaled[row * neurons], neurons, 1}, rows, panel, neurons,
                                        count, to + row * stride, stride);
    }
  }
};
