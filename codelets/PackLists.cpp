// Lists as masks and back, for their way to and from Streaming Memory: see maths/Lists.hpp.
#include "maths/Cycles.hpp"
#include "maths/Lists.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

namespace {

template <typename Id>
inline void setBits(const Id* ids, unsigned begin, unsigned end, Id* mask, unsigned words) {
  constexpr unsigned kBits = 8 * sizeof(Id);
  for (unsigned i = 0; i < words; ++i) {
    mask[i] = 0;
  }
  for (unsigned k = begin; k < end; ++k) {
    mask[ids[k] / kBits] |= static_cast<Id>(Id{1} << ids[k] % kBits);
  }
}

// Returns the position after the last id.
template <typename Id>
inline unsigned listBits(const Id* mask, unsigned words, Id* ids, unsigned at) {
  constexpr unsigned kBits = 8 * sizeof(Id);
  for (unsigned i = 0; i < words; ++i) {
    for (unsigned bits = mask[i]; bits != 0; bits &= bits - 1) {
      ids[at++] = static_cast<Id>(i * kBits + static_cast<unsigned>(__builtin_ctz(bits)));
    }
  }
  return at;
}

} // namespace

// A history block on chip to masks.
template <typename Id>
class PackLists : public MultiVertex {
public:
  Input<Vector<Id, VectorLayout::ONE_PTR>> history; // [buffer][row][width]
  Input<unsigned> buffer;
  Output<Vector<Id, VectorLayout::ONE_PTR>> packed; // [row][packed words]

  const unsigned bufferRows; // rows of a buffer
  const unsigned numRows;    // that are packed
  const unsigned width, size;
  const bool spikesOnly;

  bool compute(unsigned worker) {
    const unsigned words = maskWords(size, sizeof(Id));
    const unsigned stride = packedWords(size, spikesOnly, sizeof(Id));
    const Id* from = &history[static_cast<unsigned long>(*buffer) * bufferRows * width];
    for (unsigned row = worker; row < numRows; row += numWorkers()) {
      const List<Id> list{from + static_cast<unsigned long>(row) * width};
      Id* to = &packed[static_cast<unsigned long>(row) * stride];
      to[0] = static_cast<Id>(list.numSpikes());
      to[1] = static_cast<Id>(list.numActive());
      setBits(list.ids(), 0, list.numSpikes(), to + kListHeader, words);
      if (!spikesOnly) {
        setBits(list.ids(), list.numSpikes(), list.numActive(), to + kListHeader + words, words);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned stride = packedWords(size, spikesOnly, sizeof(Id));
    return tileCycles(slowestWorker(numRows, [&](unsigned row) {
      return 12 + stride + 6ul * packed[static_cast<unsigned long>(row) * stride + 1];
    }));
  }
};

// Masks to a history block on chip.
template <typename Id>
class UnpackLists : public MultiVertex {
public:
  Input<Vector<Id, VectorLayout::ONE_PTR>> packed; // [row][packed words]
  Input<unsigned> buffer;
  InOut<Vector<Id, VectorLayout::ONE_PTR>> history; // [buffer][row][width]

  const unsigned bufferRows;
  const unsigned numRows;
  const unsigned width, size;
  const bool spikesOnly;

  bool compute(unsigned worker) {
    const unsigned words = maskWords(size, sizeof(Id));
    const unsigned stride = packedWords(size, spikesOnly, sizeof(Id));
    Id* to = &history[static_cast<unsigned long>(*buffer) * bufferRows * width];
    for (unsigned row = worker; row < numRows; row += numWorkers()) {
      const Id* from = &packed[static_cast<unsigned long>(row) * stride];
      Id* list = to + static_cast<unsigned long>(row) * width;
      list[0] = from[0];
      list[1] = from[1];
      const unsigned spikes = listBits(from + kListHeader, words, list + kListHeader, 0);
      if (!spikesOnly) {
        listBits(from + kListHeader + words, words, list + kListHeader, spikes);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned stride = packedWords(size, spikesOnly, sizeof(Id));
    return tileCycles(slowestWorker(numRows, [&](unsigned row) {
      return 12 + 3ul * stride + 6ul * packed[static_cast<unsigned long>(row) * stride + 1];
    }));
  }
};

template class PackLists<unsigned short>;
template class PackLists<unsigned>;
template class UnpackLists<unsigned short>;
template class UnpackLists<unsigned>;
