// DenseProduct for longer blocks on a machine with one worker per tile: what a whole layer sends
// back to one tile of the layer below, so that nothing is left to sum.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/MatrixProduct.hpp"
#include "maths/UnitProduct.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class LayerProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  // Per tile of the layer: the rows of its weights that belong to the tile below, [fanIn][neurons],
  // and [sample][row][neurons].
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> weights;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> scaled;
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> partials; // [sample][row][fanIn]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>>
      panels; // [neurons of a tile][kMostPanelWidth]; scratch

  const unsigned layerSize;
  const unsigned neuronsPerTile; // the last tile may hold fewer
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned fanIn; // neurons of the tile below

  // Tile by tile, so that a tile's weights and adjoints stay in the caches.
  bool compute(unsigned worker) {
    for (unsigned tile = 0; control[kNumSteps] != 0 && tile < weights.size(); ++tile) {
      const unsigned first = tile * neuronsPerTile;
      const unsigned held = layerSize - first < neuronsPerTile ? layerSize - first : neuronsPerTile;
      if (!hasMatrixUnit()) {
        multiplyPanels(tile, held, worker);
      } else if (worker == 0) {
        multiplyWhole(tile, held);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long rows = static_cast<unsigned long>(control[kNumSteps]) * samples;
    const unsigned long pairs = (fanIn + 1) / 2;
    return tileCycles(20 + rows * (4 + layerSize * pairs * 2) + 3ul * fanIn * layerSize);
  }

private:
  void multiplyWhole(unsigned tile, unsigned held) {
#ifdef SPILLWAY_MATRIX_UNIT
    const unsigned steps = control[kNumSteps];
    const auto place = [this, steps](unsigned row) {
      return static_cast<unsigned long>(row / steps) * blockSteps + row % steps;
    };
    UnitProduct(ProductShape{samples * steps, held, fanIn}, place, &partials[0], fanIn)
        .multiply(&scaled[tile][0], &weights[tile][0],
                  tile == 0 ? ProductSum::Start : ProductSum::Add);
#endif
  }

  void multiplyPanels(unsigned tile, unsigned held, unsigned worker) {
    for (unsigned i = worker * kPanelWidth; i < fanIn; i += numWorkers() * kPanelWidth) {
      const unsigned count = fanIn - i < kPanelWidth ? fanIn - i : kPanelWidth;
      const float* rows = &weights[tile][static_cast<unsigned long>(i) * held];
      packPanel(rows, held, count, &panels[0]);
      // The next panel's are in no cache, and asked for while this one is multiplied.
      const bool more = i + numWorkers() * kPanelWidth < fanIn;
      const float* next = more ? rows + static_cast<unsigned long>(kPanelWidth) * held
                               : &weights[tile + 1 < weights.size() ? tile + 1 : 0][0];
      tile == 0 ? multiplyRows<ProductSum::Start>(tile, held, i, count, next)
                : multiplyRows<ProductSum::Add>(tile, held, i, count, next);
    }
  }

  // A block may be shorter than its room: then each sample's rows are apart from the next one's.
  template <ProductSum sum>
  void multiplyRows(unsigned tile, unsigned held, unsigned i, unsigned count, const float* next) {
    constexpr unsigned kFetched = 64; // floats at a time: all before 768 rows are done
    const float* const end = next + static_cast<unsigned long>(kPanelWidth) * held;
    const auto fetch = [&] {
      if (next < end) {
        fetchAhead<kFetched>(next);
        next += kFetched;
      }
    };
    const unsigned steps = control[kNumSteps];
    const bool filled = steps == blockSteps;
    const unsigned rows = filled ? samples * steps : steps;
    for (unsigned sample = 0; sample < samples; sample += filled ? samples : 1) {
      const unsigned long row = static_cast<unsigned long>(sample) * blockSteps;
      multiplyRowsBy<sum>({&scaled[tile][row * held], held, 1}, rows, &panels[0], held, count,
                          &partials[row * fanIn + i], fanIn, fetch);
    }
  }
};
