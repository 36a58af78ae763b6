// What a gated layer sends back to its own units' events of the step before, on a machine with one
// worker per tile, whose vertices read all tiles of a layer in place: for the units of one tile the
// products of their weight rows with the errors of the whole layer, so that nothing is left to sum.
//
// A unit that is active in many samples has its row multiplied with the errors of all of them, as
// in a dense product; any other with those of the samples it is active in. Which of the two depends
// on the lists of the step alone, and so do all bits.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/EventProducts.hpp"
#include "maths/ListErrors.hpp"
#include "maths/SamplePanel.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class RecurrentProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<Id, VectorLayout::ONE_PTR, 8>> lists;      // slab of its own; row 0: the step before
  // Per tile of the layer: of this tile's units, [unit][column].
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> weights;
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> errors; // [room][sample][column]; dq
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>>
      panels; // [group of samples][column][lane]; dq of the step
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> products; // [group of samples][unit][lane]

  const unsigned firstNeuron, neurons;      // of this tile
  const unsigned layerSize, neuronsPerTile; // the last tile may hold fewer
  const unsigned samples, rows, width;
  const unsigned room; // steps of errors

  bool compute(unsigned) {
    for (unsigned begin = 0; control[kNumSteps] != 0 && begin < neurons; begin += kMostUnits) {
      forEachLaneGroup(samples, [&](auto lanes, unsigned first, unsigned count) {
        multiply<decltype(lanes)::value>(begin, first, count);
      });
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long products = static_cast<unsigned long>(neurons) * samples;
    return tileCycles(20 + (control[kNumSteps] == 0 ? 0 : products) *
                               eventInstructions(kGates * layerSize) / kWorkers);
  }

private:
  static constexpr unsigned kGates = 3;
  static constexpr unsigned kMostUnits = 256;   // at a time
  static constexpr unsigned kBlockColumns = 96; // whose part of a panel stays in the nearest cache
  // Rows follow one another, but the host does not look as far ahead as main memory is away.
  static constexpr unsigned kRowsAhead = 4;

  static constexpr unsigned kNearFloats = 8192; // of errors, in the nearest cache

  // Whether a product of W samples is quicker than those of the active ones: one of these takes
  // three times as long as its share of it, and half of that where all errors of a tile are near.
  bool isBusy(unsigned active, unsigned W, unsigned count) const {
    const bool areNear = count * kGates * neuronsPerTile <= kNearFloats;
    return 3 * active >= (areNear ? 2 : 1) * W;
  }

  unsigned columnsOf(unsigned tile) const {
    const unsigned left = layerSize - tile * neuronsPerTile;
    return kGates * (left < neuronsPerTile ? left : neuronsPerTile);
  }
  const float* rowOf(unsigned tile, unsigned unit) const {
    return &weights[tile][static_cast<unsigned long>(unit) * columnsOf(tile)];
  }

  // Units begin .. of the tile, for `count` samples from `first` on.
  template <unsigned W>
  void multiply(unsigned begin, unsigned first, unsigned count) {
    const unsigned units = neurons - begin < kMostUnits ? neurons - begin : kMostUnits;
    unsigned long long marks[kMostUnits] = {}; // a bit for every sample that a unit is active in
    for (unsigned s = 0; s < count; ++s) {
      const List<Id> list{&lists[SlabShape{rows, width}.at(first + s, 0)]};
      forEachOwnEntry<Id>(list, firstNeuron + begin, units,
                          [&](unsigned, unsigned i) { marks[i] |= 1ull << s; });
    }
    float* to = &products[static_cast<unsigned long>(first) * neurons + begin * W];
    unsigned busy[kMostUnits], others[kMostUnits], numBusy = 0, numOthers = 0;
    for (unsigned i = 0; i < units; ++i) {
      const unsigned active = static_cast<unsigned>(__builtin_popcountll(marks[i]));
      storeRow<W>(to + i * W, Row<W>(0.0f));
      if (isBusy(active, W, count)) {
        busy[numBusy++] = i;
      } else if (active != 0) {
        others[numOthers++] = i;
      }
    }
    for (unsigned tile = 0; tile < weights.size(); ++tile) {
      multiplyTogether<W>(tile, begin, busy, numBusy, first, to);
      for (unsigned k = 0; k < numOthers; ++k) {
        const unsigned later = others[k + kRowsAhead < numOthers ? k + kRowsAhead : numOthers - 1];
        fetchColumns(rowOf(tile, begin + later), columnsOf(tile));
        multiplyAlone(tile, begin + others[k], marks[others[k]], first, to + others[k] * W);
      }
    }
  }

  template <unsigned W>
  void multiplyTogether(unsigned tile, unsigned begin, const unsigned* units, unsigned count,
                        unsigned first, float* to) const {
    constexpr unsigned R = kRowsAtOnce<W>;
    const unsigned long columns = columnsOf(tile);
    const float* panel = &panels[tile][first * columns];
    for (unsigned c = 0; c < columns; c += kBlockColumns) {
      const unsigned left = static_cast<unsigned>(columns) - c;
      const unsigned together = left < kBlockColumns ? left : kBlockColumns;
      for (unsigned next = 0; next < count; next += R) {
        const float* rowsAt[R];
        float* sums[R];
        for (unsigned r = 0; r < R; ++r) { // the last ones repeat the last row
          const unsigned unit = units[next + r < count ? next + r : count - 1];
          const unsigned later = units[next + R + r < count ? next + R + r : count - 1];
          rowsAt[r] = rowOf(tile, begin + unit) + c;
          sums[r] = to + unit * W;
          fetchColumns(rowOf(tile, begin + later) + c, together);
        }
        multiplySamples<W>(rowsAt, panel + c * W, together, sums, SumStart::Before);
      }
    }
  }

  void multiplyAlone(unsigned tile, unsigned unit, unsigned long long marks, unsigned first,
                     float* to) const {
    unsigned active[kSampleLanes], count = 0;
    for (; marks != 0; marks &= marks - 1) {
      active[count++] = static_cast<unsigned>(__builtin_ctzll(marks));
    }
    const unsigned long columns = columnsOf(tile), place = errorPlace(control, room);
    const float* from = &errors[tile][(place * samples + first) * columns];
    forEachDot(
        count, [&](unsigned k) { return from + active[k] * columns; }, rowOf(tile, unit),
        columnsOf(tile), [&](unsigned k, float product) { to[active[k]] += product; });
  }
};

template class RecurrentProduct<unsigned short>;
template class RecurrentProduct<unsigned>;
