// One-hot rows and ranges.
#include "ElementOps.hpp"
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// A part of the rows, flattened: it begins at column `start` of the row of indices[0].
template <class Index, class T>
class OneHot : public MultiVertex {
public:
  Input<Vector<Index>> indices;
  Output<Vector<T>> out;
  Input<T> on;
  Input<T> off;
  unsigned start;
  unsigned rowSize;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = *off;
    if (r.size() == 0)
      return true;
    for (unsigned row = (start + r.begin) / rowSize; row <= (start + r.end - 1) / rowSize; ++row) {
      const auto code = static_cast<unsigned>(indices[row]);
      const unsigned at = row * rowSize + code - start;
      if (code < rowSize && at >= r.begin && at < r.end)
        out[at] = *on;
    }
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles + numWorkers() * (30 + vectorsPerWorker<T>(out.size(), numWorkers()) +
                                           12 * (out.size() / rowSize + 1) / numWorkers());
  }
};

template <class T>
class Iota : public MultiVertex {
public:
  Output<Vector<T>> out;
  T first;

  bool compute(unsigned worker) {
    const auto r = workerRange(out.size(), kVectorWidth<T>, worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = static_cast<T>(first + static_cast<T>(i));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return kLaunchCycles + numWorkers() * (20 + 3 * vectorsPerWorker<T>(out.size(), numWorkers()));
  }
};

template class OneHot<int, float>;
template class OneHot<int, half>;
template class OneHot<int, int>;
template class OneHot<int, unsigned int>;
template class OneHot<unsigned int, float>;
template class OneHot<unsigned int, half>;
template class OneHot<unsigned int, int>;
template class OneHot<unsigned int, unsigned int>;
template class Iota<int>;
template class Iota<unsigned int>;
template class Iota<float>;

} // namespace popops
