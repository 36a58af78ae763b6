// B-splines of graph convolutions, some edges of the graph for each vertex.
#include "WorkerRange.hpp"

#include <poplar/Vertex.hpp>

namespace popops {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// Basis function `k` of those that are not zero at v, which is within [0, 1) of a knot.
inline float splineValue(unsigned degree, float v, unsigned k) {
  const float u = 1 - v;
  if (degree == 1)
    return k == 0 ? u : v;
  if (degree == 2)
    return k == 0 ? u * u / 2 : k == 1 ? 0.5f + u * v : v * v / 2;
  const float x = k < 2 ? v : u; // the functions mirror each other
  return k == 0 ? u * u * u / 6 : k == 3 ? v * v * v / 6 : (4 - 6 * x * x + 3 * x * x * x) / 6;
}

template <class T>
class SplineBasis : public MultiVertex {
public:
  Input<Vector<T>> pseudo; // [edges][dims]
  Input<Vector<int>> kernelSize;
  Input<Vector<unsigned char>> isOpen;
  Output<Vector<T>> basis; // [edges][splines]
  Output<Vector<int>> weightIndex;
  unsigned degree;
  unsigned splines;

  bool compute(unsigned worker) {
    const unsigned dims = kernelSize.size();
    const auto range = workerRange(basis.size(), 1, worker, numWorkers());
    for (unsigned i = range.begin; i != range.end; ++i) {
      const T* point = &pseudo[i / splines * dims];
      float product = 1;
      int index = 0, stride = 1;
      for (unsigned d = 0, rest = i % splines; d != dims; ++d, rest /= degree + 1) {
        const unsigned k = rest % (degree + 1);
        const float knots = float(kernelSize[d]) - (isOpen[d] ? float(degree) : 0.f);
        const float at = static_cast<float>(point[d]) * knots;
        const int knot = int(at);
        product *= splineValue(degree, at - float(knot), k);
        index += (knot + int(k)) % kernelSize[d] * stride;
        stride *= kernelSize[d];
      }
      basis[i] = static_cast<T>(product);
      weightIndex[i] = index;
    }
    return true;
  }

  std::uint64_t estimateCycles() const {
    return kLaunchCycles + 40 * numWorkers() + std::uint64_t(30) * kernelSize.size() * basis.size();
  }
};

template class SplineBasis<float>;
template class SplineBasis<half>;

// Some output channels of some edges.
template <class T>
class SplineWeighting : public MultiVertex {
public:
  Input<Vector<T>> input;  // [edges][inputs]
  Input<Vector<T>> weight; // [kernels][inputs][outputs]
  Input<Vector<T>> basis;  // [edges][splines]
  Input<Vector<int>> weightIndex;
  Output<Vector<T>> out; // [edges][outputs]
  unsigned inputs;
  unsigned outputs;
  unsigned splines;

  bool compute(unsigned worker) {
    const auto range = workerRange(out.size(), 1, worker, numWorkers());
    for (unsigned i = range.begin; i != range.end; ++i) {
      const unsigned edge = i / outputs, output = i % outputs;
      float sum = 0;
      for (unsigned s = 0; s != splines; ++s) {
        const T* w = &weight[unsigned(weightIndex[edge * splines + s]) * inputs * outputs + output];
        float dot = 0;
        for (unsigned k = 0; k != inputs; ++k)
          dot += static_cast<float>(input[edge * inputs + k]) * static_cast<float>(w[k * outputs]);
        sum += static_cast<float>(basis[edge * splines + s]) * dot;
      }
      out[i] = static_cast<T>(sum);
    }
    return true;
  }

  std::uint64_t estimateCycles() const {
    return kLaunchCycles + 40 * numWorkers() +
           std::uint64_t(out.size()) * splines * (8 + 3 * std::uint64_t(inputs));
  }
};

template class SplineWeighting<float>;
template class SplineWeighting<half>;

} // namespace popops
