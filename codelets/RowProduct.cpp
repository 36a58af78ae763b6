// What a tile's share of a gated layer sends back to the entries of a list it received, row by row
// of the weights, on a machine with one worker per tile.
//
// A unit that is active in most samples has its row multiplied with the errors of all of them, as
// in a dense product; any other with those of the samples it is active in. Which of the two depends
// on the lists of the step alone, and so do all bits.
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/EventProducts.hpp"
#include "maths/SamplePanel.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

class RowProduct : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // of the layer
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;   // PhaseWord
  Input<Vector<unsigned, VectorLayout::SPAN>> begins;     // as TurnActive made them
  Input<Vector<unsigned short, VectorLayout::ONE_PTR>> entrySamples;
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> entryPlaces;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> weights; // [id][column]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> errors;  // [place][sample][errorColumns]
  Output<Vector<float, VectorLayout::ONE_PTR>> partials;  // [sample][entry]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> panel;   // [column][kSampleLanes]; scratch

  const unsigned columns;
  const unsigned samples;
  const unsigned room;         // steps of errors
  const bool keepsErrors;      // of all steps, by index of the history
  const unsigned errorColumns; // the first `columns` are the errors
  const unsigned dropoutStream;
  const float dropout; // of what the layer received

  bool compute(unsigned) {
    if (control[kNumSteps] != 0) {
      forEachLaneGroup(samples, [&](auto lanes, unsigned first, unsigned count) {
        multiplyBusyRows<decltype(lanes)::value>(first, count);
      });
      multiplyOtherRows();
      dropOut();
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long ids = begins.size() - 1;
    const unsigned long entries = control[kNumSteps] == 0 ? 0 : begins[static_cast<unsigned>(ids)];
    return tileCycles(20 + (12 * ids + entries * eventInstructions(columns)) / kWorkers);
  }

private:
  unsigned numIds() const { return static_cast<unsigned>(begins.size()) - 1; }
  const float* rowOf(unsigned id) const {
    return &weights[static_cast<unsigned long>(id) * columns];
  }
  const float* errorsOf(unsigned sample) const {
    const unsigned long place =
        keepsErrors ? control[kFirstStep] + control[kHistoryOffset] : errorPlace(control, room);
    return &errors[(place * samples + sample) * errorColumns];
  }
  // A product of a dense row takes about half as long as one of its own.
  bool isBusy(unsigned id) const {
    return 2 * (begins[id + 1] - begins[id]) >= wholeLanes(samples);
  }
  template <unsigned W>
  void multiplyBusyRows(unsigned first, unsigned count) {
    packSamples<W>(errorsOf(first), columns, count, &panel[0], errorColumns);
    unsigned ids[kRowsAtOnce<W>], found = 0;
    for (unsigned id = 0; id < numIds(); ++id) {
      if (isBusy(id)) {
        ids[found++] = id;
      }
      if (found == kRowsAtOnce<W> || (found != 0 && id + 1 == numIds())) {
        multiplyPanel<W>(ids, found, first);
        found = 0;
      }
    }
  }

  template <unsigned W>
  void multiplyPanel(const unsigned* ids, unsigned count, unsigned first) {
    constexpr unsigned R = kRowsAtOnce<W>;
    float products[R * W];
    const float* rows[R];
    float* sums[R];
    for (unsigned r = 0; r < R; ++r) {
      rows[r] = rowOf(ids[r < count ? r : count - 1]);
      sums[r] = products + r * W;
    }
    multiplySamples<W>(rows, &panel[0], columns, sums, SumStart::Zero);
    for (unsigned r = 0; r < count; ++r) {
      const unsigned begin = begins[ids[r]], end = begins[ids[r] + 1];
      const unsigned short* from = &entrySamples[0];
      const unsigned* places = &entryPlaces[0];
      float* to = &partials[0];
      for (unsigned k = begin; k < end; ++k) {
        const unsigned lane = from[k] - first; // large where it is before the first
        if (lane < W) {
          to[places[k]] = products[r * W + lane];
        }
      }
    }
  }

  // Rows follow one another, but the host does not look as far ahead as main memory is away.
  static constexpr unsigned long kRowsAhead = 6;

  void multiplyOtherRows() {
    const unsigned long stride = columns, errorStride = errorColumns;
    const float* from = errorsOf(0);
    float* to = &partials[0];
    for (unsigned id = 0; id < numIds(); ++id) {
      if (!isBusy(id)) {
        const unsigned begin = begins[id];
        fetchColumns(rowOf(id) + kRowsAhead * stride, columns);
        const unsigned short* entries = &entrySamples[begin];
        const unsigned* places = &entryPlaces[begin];
        forEachDot(
            begins[id + 1] - begin, [&](unsigned k) { return from + entries[k] * errorStride; },
            rowOf(id), columns, [&](unsigned k, float product) { to[places[k]] = product; });
      }
    }
  }

  // What dropout left of the values that were received.
  void dropOut() {
    const ValueMask mask = maskOfBatch(phase, dropoutStream, numIds(), dropout);
    for (unsigned id = 0; mask.p != 0.0f && id < numIds(); ++id) {
      for (unsigned k = begins[id]; k < begins[id + 1]; ++k) {
        partials[entryPlaces[k]] *= mask.scale(entrySamples[k], id);
      }
    }
  }
};
