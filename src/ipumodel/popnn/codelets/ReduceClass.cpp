// The largest, or smallest, of some activations, and its label: vertices that programs know by name
// from Graphcore's library.
#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popnn {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The first one that `better` holds for against all before it.
template <class T, class Better>
unsigned positionOfBest(const T* values, unsigned count, Better better) {
  unsigned best = 0;
  for (unsigned i = 1; i < count; ++i)
    if (better(values[i], values[best]))
      best = i;
  return best;
}

inline std::uint64_t cyclesOfSearch(unsigned count) {
  return 20 + 3 * static_cast<std::uint64_t>(count);
}

template <class T, class Label>
class ReduceMaxClassSparse : public poplar::Vertex {
public:
  Input<Vector<T>> activations;
  Input<Vector<Label, poplar::VectorLayout::ONE_PTR>> labels;
  Output<T> maxValue;
  Output<Label> maxIndex;

  bool compute() {
    const unsigned best = positionOfBest(&activations[0], activations.size(),
                                         [](const T& a, const T& b) { return a > b; });
    *maxValue = activations[best];
    *maxIndex = labels[best];
    return true;
  }
  std::uint64_t estimateCycles() const { return cyclesOfSearch(activations.size()); }
};

template <class T, class Label>
class ReduceMinClassSparse : public poplar::Vertex {
public:
  Input<Vector<T>> activations;
  Input<Vector<Label, poplar::VectorLayout::ONE_PTR>> labels;
  Output<T> minValue;
  Output<Label> minIndex;

  bool compute() {
    const unsigned best = positionOfBest(&activations[0], activations.size(),
                                         [](const T& a, const T& b) { return a < b; });
    *minValue = activations[best];
    *minIndex = labels[best];
    return true;
  }
  std::uint64_t estimateCycles() const { return cyclesOfSearch(activations.size()); }
};

template class ReduceMaxClassSparse<float, unsigned int>;
template class ReduceMaxClassSparse<float, int>;
template class ReduceMaxClassSparse<half, unsigned int>;
template class ReduceMaxClassSparse<half, int>;
template class ReduceMaxClassSparse<int, unsigned int>;
template class ReduceMaxClassSparse<int, int>;
template class ReduceMaxClassSparse<unsigned int, unsigned int>;
template class ReduceMaxClassSparse<unsigned int, int>;
template class ReduceMinClassSparse<float, unsigned int>;
template class ReduceMinClassSparse<float, int>;
template class ReduceMinClassSparse<half, unsigned int>;
template class ReduceMinClassSparse<half, int>;
template class ReduceMinClassSparse<int, unsigned int>;
template class ReduceMinClassSparse<int, int>;
template class ReduceMinClassSparse<unsigned int, unsigned int>;
template class ReduceMinClassSparse<unsigned int, int>;

} // namespace popnn
