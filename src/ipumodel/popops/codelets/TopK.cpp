// The k best elements of a row, by a heap in the output, and rows in another order.
#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// A total order: of equal keys the lower index is better.
template <class T>
struct Better {
  bool largest;
  bool operator()(T a, unsigned indexA, T b, unsigned indexB) const {
    using W = elementops::Wide<T>;
    const W x = static_cast<W>(a), y = static_cast<W>(b);
    return x == y ? indexA < indexB : (largest ? y < x : x < y);
  }
};

// The worst of the n entries of a heap is at the top.
template <class T>
void siftDown(T* keys, unsigned* indices, unsigned at, unsigned n, Better<T> better) {
  const T key = keys[at];
  const unsigned index = indices[at];
  for (unsigned child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && better(keys[child], indices[child], keys[child + 1], indices[child + 1]))
      ++child;
    if (!better(key, index, keys[child], indices[child]))
      break;
    keys[at] = keys[child];
    indices[at] = indices[child];
  }
  keys[at] = key;
  indices[at] = index;
}

// `indexOf(i)` is the index of input element i.
template <class T, class IndexOf>
void selectBest(const T* in, unsigned n, T* keys, unsigned* indices, unsigned k, bool largest,
                bool reversed, IndexOf indexOf) {
  const Better<T> better{largest};
  for (unsigned i = 0; i < k; ++i) {
    keys[i] = in[i];
    indices[i] = indexOf(i);
  }
  for (unsigned i = k / 2; i-- > 0;)
    siftDown(keys, indices, i, k, better);
  for (unsigned i = k; i < n; ++i)
    if (better(in[i], indexOf(i), keys[0], indices[0])) {
      keys[0] = in[i];
      indices[0] = indexOf(i);
      siftDown(keys, indices, 0, k, better);
    }
  const auto swap = [&](unsigned a, unsigned b) {
    const T key = keys[a];
    const unsigned index = indices[a];
    keys[a] = keys[b];
    indices[a] = indices[b];
    keys[b] = key;
    indices[b] = index;
  };
  for (unsigned left = k; left > 1; --left) { // best first
    swap(0, left - 1);
    siftDown(keys, indices, 0, left - 1, better);
  }
  for (unsigned i = 0; reversed && i < k / 2; ++i)
    swap(i, k - 1 - i);
}

// Each element is compared once; about one in two moves through the heap at first.
inline std::uint64_t selectCycles(std::uint64_t n, std::uint64_t k) {
  std::uint64_t depth = 1;
  while ((std::uint64_t{1} << depth) < k)
    ++depth;
  return 40 + 4 * n + 12 * k * depth;
}

// Of consecutive elements; their indices count from `base`.
template <class T>
class TopK : public poplar::Vertex {
public:
  Input<Vector<T>> in;
  Output<Vector<T>> keys;
  Output<Vector<unsigned>> indices;
  unsigned base;
  bool largest;
  bool reversed;

  bool compute() {
    const unsigned first = base;
    selectBest(&in[0], in.size(), &keys[0], &indices[0], keys.size(), largest, reversed,
               [first](unsigned i) { return first + i; });
    return true;
  }
  std::uint64_t estimateCycles() const { return selectCycles(in.size(), keys.size()); }
};

// Of elements whose indices are given.
template <class T>
class TopKMerge : public poplar::Vertex {
public:
  Input<Vector<T>> in;
  Input<Vector<unsigned>> inIndices;
  Output<Vector<T>> keys;
  Output<Vector<unsigned>> indices;
  bool largest;
  bool reversed;

  bool compute() {
    const unsigned* given = &inIndices[0];
    selectBest(&in[0], in.size(), &keys[0], &indices[0], keys.size(), largest, reversed,
               [given](unsigned i) { return given[i]; });
    return true;
  }
  std::uint64_t estimateCycles() const { return selectCycles(in.size(), keys.size()); }
};

// out[i] = in[indices[i]].
template <class T>
class PermuteRow : public poplar::Vertex {
public:
  Input<Vector<T>> in;
  Input<Vector<unsigned>> indices;
  Output<Vector<T>> out;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in[indices[i]];
    return true;
  }
  std::uint64_t estimateCycles() const { return 20 + 5 * out.size(); }
};

template class TopK<float>;
template class TopK<half>;
template class TopK<int>;
template class TopK<unsigned int>;
template class TopKMerge<float>;
template class TopKMerge<half>;
template class TopKMerge<int>;
template class TopKMerge<unsigned int>;
template class PermuteRow<float>;
template class PermuteRow<half>;
template class PermuteRow<int>;
template class PermuteRow<unsigned int>;
template class PermuteRow<bool>;
template class PermuteRow<short>;
template class PermuteRow<unsigned short>;

} // namespace popops
