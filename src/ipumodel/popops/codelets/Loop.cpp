// The counter of a loop whose limit is a tensor.
#include <poplar/Vertex.hpp>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::Output;

// Adds the increment, then says whether the limit has not been reached.
template <class T>
class ForLoopCounter : public poplar::Vertex {
public:
  InOut<T> count;
  Input<T> limit;
  Output<unsigned> comparisonResult;
  int increment;

  bool compute() {
    *count = static_cast<T>(*count + static_cast<T>(increment));
    *comparisonResult = *count != *limit;
    return true;
  }
  unsigned estimateCycles() const { return 13; } // load, add, store, compare, store, return
};

template class ForLoopCounter<int>;
template class ForLoopCounter<unsigned int>;

} // namespace popops
