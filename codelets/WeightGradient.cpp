// Adds a block's contribution to the weight gradients of one tile: only rows of inputs that spiked.
//
// Each weight sums over steps in descending and samples in ascending order, whatever the block
// length: that is what makes all schedules bit-identical. The workers that share a copy of the
// gradient take ids of their own, a stretch each, cut where some of the block's lists fall into
// equal parts; which worker adds a row changes no bit. Of several copies each sums its own samples
// (sample modulo copies).
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/IdShares.hpp"
#include "maths/Rows.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

template <typename Id>
class WeightGradient : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control; // ControlWord
  Input<Vector<Id, VectorLayout::ONE_PTR>> lists;    // what the unit received: row j for step j
  Input<Vector<Id, VectorLayout::ONE_PTR>> ownLists; // its own (recurrent layers): row j for step j
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> scaled;   // [sample][row][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [fan-in + recurrent fan-in][neurons]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> biasGradient; // [neurons]
  // The second copy and on: [copy][fan-in + recurrent fan-in, then the bias][neurons]; not used
  // where there is one.
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> copies;

  const unsigned neurons;
  const unsigned samples;
  const unsigned blockSteps;
  const unsigned rows, width;
  const unsigned ownRows, ownWidth;
  const unsigned fanIn;
  const unsigned gradientRows; // fan-in + recurrent fan-in
  const unsigned numCopies;    // divides the number of workers
  const bool recurrent;

  bool compute(unsigned worker) {
    const unsigned copy = worker % numCopies;
    const unsigned long copySize = (gradientRows + 1ul) * neurons;
    float* sums = copy == 0 ? &gradient[0] : &copies[(copy - 1) * copySize];
    float* biasSums = copy == 0 ? &biasGradient[0] : sums + copySize - neurons;
    float* ownSums = sums + static_cast<unsigned long>(fanIn) * neurons;
    forEachList(
        worker,
        [&](List<Id> list, bool own, IdShare share, const float* factor) {
          addRows(list, share, own ? ownSums : sums, factor);
        },
        [&](const float* factor) { addRow(biasSums, factor); });
    return true;
  }

  // Asked for after every execution, so each list is passed once, not once a worker: where one
  // worker's ids end, the next one's begin.
  unsigned long estimateCycles() const {
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    const unsigned steps = control[kNumSteps];
    unsigned long work[kWorkers];
    for (unsigned long& ofWorker : work) {
      ofWorker = numCopies == kWorkers ? 0 : 2 * kShareInstructions;
    }
    const unsigned sharers = kWorkers / numCopies;
    const IdCuts cuts = cutsOfIds(&lists[0], slab, samples, steps, sharers);
    const IdCuts ownCuts = recurrent ? cutsOfIds(&ownLists[0], own, samples, steps, sharers) : cuts;
    for (unsigned j = 0; j < steps; ++j) {
      for (unsigned sample = 0; sample < samples; ++sample) {
        unsigned long* ofCopy = work + sample % numCopies;
        countRows({&lists[slab.at(sample, j)]}, cuts, ofCopy);
        if (recurrent) {
          countRows({&ownLists[own.at(sample, j)]}, ownCuts, ofCopy);
        }
        ofCopy[0] += spikeInstructions(neurons);
      }
    }
    unsigned long slowest = 0;
    for (unsigned long ofWorker : work) {
      slowest = ofWorker > slowest ? ofWorker : slowest;
    }
    return tileCycles(slowest);
  }

private:
  // Adds what a list costs the workers of its copy.
  void countRows(List<Id> list, const IdCuts& cuts, unsigned long* ofCopy) const {
    const unsigned count = list.numSpikes(), sharers = kWorkers / numCopies;
    const unsigned long search = searchInstructions(count);
    for (unsigned member = 0, at = 0; member < sharers; ++member) {
      const unsigned next =
          member + 1 == sharers ? count : lowerBound(list.ids(), 0, count, cuts.begins[member + 1]);
      ofCopy[member * numCopies] +=
          12 + (cuts.begins[member] == 0 ? 0 : search) + (next - at) * addRowInstructions(neurons);
      at = next;
    }
  }

  // f(list, whether it is the unit's own, the worker's ids, the row to add) for what the worker has
  // to add, and bias(row) where the bias is its own.
  template <class F, class G>
  void forEachList(unsigned worker, const F& f, const G& bias) const {
    const SlabShape slab{rows, width}, own{ownRows, ownWidth};
    const unsigned steps = control[kNumSteps];
    if (steps == 0) {
      return;
    }
    const unsigned member = worker / numCopies, sharers = numWorkers() / numCopies;
    const IdShare share =
        shareOfIds<numWorkers()>(&lists[0], slab, samples, steps, member, sharers);
    const IdShare ownShare =
        recurrent ? shareOfIds<numWorkers()>(&ownLists[0], own, samples, steps, member, sharers)
                  : share;
    for (unsigned j = steps; j-- > 0;) {
      for (unsigned sample = worker % numCopies; sample < samples; sample += numCopies) {
        const float* factor =
            &scaled[(static_cast<unsigned long>(sample) * blockSteps + j) * neurons];
        f({&lists[slab.at(sample, j)]}, false, share, factor);
        if (recurrent) {
          f({&ownLists[own.at(sample, j)]}, true, ownShare, factor);
        }
        if (member == 0) {
          bias(factor);
        }
      }
    }
  }

  void addRows(List<Id> list, IdShare share, float* sums, const float* factor) const {
    const Id* ids = list.ids();
    const unsigned count = list.numSpikes();
    for (unsigned k = share.firstOf(list); k < count && ids[k] < share.end; ++k) {
      addRow(sums + static_cast<unsigned long>(ids[k]) * neurons, factor);
    }
  }

  void addRow(float* to, const float* row) const {
    forEachRowBlock(neurons, [&](auto blockWidth, unsigned first) {
      constexpr unsigned W = decltype(blockWidth)::value;
      storeRow<W>(to + first, loadRow<W>(to + first) + loadRow<W>(row + first));
    });
  }
};

template class WeightGradient<unsigned short>;
template class WeightGradient<unsigned>;
