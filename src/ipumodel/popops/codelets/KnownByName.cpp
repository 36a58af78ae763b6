// Vertices that programs know by name from Graphcore's library; ours does without them.
#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popops {

using poplar::InOut;
using poplar::Output;
using poplar::Vector;

template <class T>
class Fill : public poplar::Vertex {
public:
  Output<Vector<T>> out;
  T in;

  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in;
    return true;
  }
  std::uint64_t estimateCycles() const { return 20 + out.size() * sizeof(T) / 8; }
};

// Moves the element at `i` of a heap of `size` keys down to where it belongs.
template <class Keys, class Swap>
void siftDown(Keys& keys, unsigned i, unsigned size, Swap swap) {
  for (unsigned child = 2 * i + 1; child < size; i = child, child = 2 * i + 1) {
    if (child + 1 < size && keys[child] < keys[child + 1])
      ++child;
    if (!(keys[i] < keys[child]))
      return;
    swap(i, child);
  }
}

// Ascending, in place.
template <class Keys, class Swap>
void heapSort(Keys& keys, unsigned size, Swap swap) {
  for (unsigned i = size / 2; i-- > 0;)
    siftDown(keys, i, size, swap);
  for (unsigned last = size; last-- > 1;) {
    swap(0, last);
    siftDown(keys, 0, last, swap);
  }
}

template <class Keys>
void exchange(Keys& keys, unsigned a, unsigned b) {
  const auto kept = keys[a];
  keys[a] = keys[b];
  keys[b] = kept;
}

inline std::uint64_t cyclesOfSort(std::uint64_t size, unsigned perStep) {
  std::uint64_t levels = 0;
  for (std::uint64_t n = size; n > 1; n /= 2)
    ++levels;
  return perStep * (19 * size * levels + 6 * size + 2);
}

template <class T>
class HeapSortVertex : public poplar::Vertex {
public:
  InOut<Vector<T>> out;

  bool compute() {
    heapSort(out, out.size(), [this](unsigned a, unsigned b) { exchange(out, a, b); });
    return true;
  }
  std::uint64_t estimateCycles() const { return cyclesOfSort(out.size(), 8); }
};

template <class Key, class Value>
class HeapSortVertexKV : public poplar::Vertex {
public:
  InOut<Vector<Key>> key;
  InOut<Vector<Value>> value;

  bool compute() {
    heapSort(key, key.size(), [this](unsigned a, unsigned b) {
      exchange(key, a, b);
      exchange(value, a, b);
    });
    return true;
  }
  std::uint64_t estimateCycles() const { return cyclesOfSort(key.size(), 16); }
};

template class Fill<float>;
template class Fill<half>;
template class Fill<int>;
template class Fill<unsigned int>;
template class Fill<unsigned short>;
template class Fill<short>;
template class Fill<unsigned char>;
template class Fill<signed char>;
template class Fill<char>;
template class Fill<bool>;

template class HeapSortVertex<float>;
template class HeapSortVertex<half>;
template class HeapSortVertex<int>;
template class HeapSortVertex<unsigned int>;

template class HeapSortVertexKV<float, float>;
template class HeapSortVertexKV<float, half>;
template class HeapSortVertexKV<float, int>;
template class HeapSortVertexKV<float, unsigned int>;
template class HeapSortVertexKV<half, float>;
template class HeapSortVertexKV<half, half>;
template class HeapSortVertexKV<half, int>;
template class HeapSortVertexKV<half, unsigned int>;
template class HeapSortVertexKV<int, float>;
template class HeapSortVertexKV<int, half>;
template class HeapSortVertexKV<int, int>;
template class HeapSortVertexKV<int, unsigned int>;
template class HeapSortVertexKV<unsigned int, float>;
template class HeapSortVertexKV<unsigned int, half>;
template class HeapSortVertexKV<unsigned int, int>;
template class HeapSortVertexKV<unsigned int, unsigned int>;

} // namespace popops
