// Counts how many elements lie between levels.
#include <poplar/Vertex.hpp>

#include <cmath>
#include <cstdint>

namespace popops {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

template <class T, class Count>
class Histogram : public poplar::Vertex {
public:
  Input<Vector<T>> in;
  Input<Vector<T>> levels; // ascending
  Output<Vector<Count>> counts;
  bool absolute;

  bool compute() {
    for (unsigned i = 0; i < counts.size(); ++i)
      counts[i] = 0;
    for (unsigned i = 0; i < in.size(); ++i) {
      const float x = static_cast<float>(in[i]);
      const float value = absolute ? std::fabs(x) : x;
      unsigned level = 0;
      while (level < levels.size() && !(value < static_cast<float>(levels[level])))
        ++level;
      counts[level] += 1;
    }
    return true;
  }
  // A comparison with each level is a load, a compare and a branch; half of the levels on average.
  std::uint64_t estimateCycles() const {
    return 20 + 2ull * counts.size() + in.size() * (8ull + 3ull * levels.size() / 2);
  }
};
template class Histogram<float, unsigned>;
template class Histogram<float, float>;
template class Histogram<half, unsigned>;
template class Histogram<half, float>;

} // namespace popops
