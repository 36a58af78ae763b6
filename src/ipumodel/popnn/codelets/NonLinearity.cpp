// Element-wise non-linearities and their gradients, in float.
#include <poplar/Vertex.hpp>
#include <popnn/NonLinearityDef.hpp>

#include <cmath>

namespace popnn {

using poplar::InOut;
using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;
using Type = NonLinearityType;

constexpr float kGeluFactor = 0.7978845608028654f, kGeluCubic = 0.044715f; // sqrt(2/pi)

inline float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}

// (1 + tanh(z)) / 2 as a sigmoid, which keeps its digits where it is small.
inline float geluGate(float x) {
  return sigmoid(2 * kGeluFactor * (x + kGeluCubic * x * x * x));
}

inline float apply(Type type, float x) {
  switch (type) {
  case Type::SIGMOID:
    return sigmoid(x);
  case Type::HARD_SIGMOID:
    return std::fmax(0.0f, std::fmin(1.0f, 0.2f * x + 0.5f));
  case Type::RELU:
    return x > 0 ? x : 0;
  case Type::TANH:
    return std::tanh(x);
  case Type::GELU:
    return x * geluGate(x);
  case Type::GELU_ERF:
    return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752f));
  case Type::SWISH:
    return x * sigmoid(x);
  default:
    return x;
  }
}

// dy/dx from y, or from x for those that cannot be inverted (GELU, GELU_ERF, SWISH).
inline float slope(Type type, float v) {
  switch (type) {
  case Type::SIGMOID:
    return v * (1 - v);
  case Type::HARD_SIGMOID:
    return v > 0 && v < 1 ? 0.2f : 0;
  case Type::RELU:
    return v > 0 ? 1.0f : 0;
  case Type::TANH:
    return 1 - v * v;
  case Type::GELU: {
    const float s = geluGate(v);
    return s + 2 * v * s * (1 - s) * kGeluFactor * (1 + 3 * kGeluCubic * v * v);
  }
  case Type::GELU_ERF:
    return 0.5f * (1 + std::erf(v * 0.70710678118654752f)) +
           v * std::exp(-0.5f * v * v) * 0.3989422804014327f;
  case Type::SWISH: {
    const float s = sigmoid(v);
    return s + v * s * (1 - s);
  }
  default:
    return 1;
  }
}

struct Share {
  unsigned begin, end;
};
inline Share shareOf(unsigned n, unsigned worker, unsigned numWorkers) {
  return {n * worker / numWorkers, n * (worker + 1) / numWorkers};
}

// Worker cycles per element (PopLibs: relu 3 for two, tanh and sigmoid about 7, gelu 14).
inline std::uint64_t cyclesPerElement(Type type) {
  switch (type) {
  case Type::RELU:
  case Type::HARD_SIGMOID:
    return 2;
  case Type::GELU:
  case Type::SWISH:
    return 14;
  case Type::GELU_ERF:
    return 40;
  default:
    return 7;
  }
}
inline std::uint64_t tileCycles(Type type, std::uint64_t n, unsigned numWorkers) {
  return 11 + numWorkers * (20 + cyclesPerElement(type) * ((n + numWorkers - 1) / numWorkers));
}

template <class T>
class NonLinearity1D : public MultiVertex {
public:
  Input<Vector<T>> in;
  Output<Vector<T>> out;
  unsigned char type;

  bool compute(unsigned worker) {
    const auto r = shareOf(out.size(), worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = static_cast<T>(apply(static_cast<Type>(type), static_cast<float>(in[i])));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return tileCycles(static_cast<Type>(type), out.size(), numWorkers());
  }
};

template <class T>
class NonLinearityInPlace1D : public MultiVertex {
public:
  InOut<Vector<T>> out;
  unsigned char type;

  bool compute(unsigned worker) {
    const auto r = shareOf(out.size(), worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = static_cast<T>(apply(static_cast<Type>(type), static_cast<float>(out[i])));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return tileCycles(static_cast<Type>(type), out.size(), numWorkers());
  }
};

template <class T>
class NonLinearityGrad1D : public MultiVertex {
public:
  Input<Vector<T>> act;
  Input<Vector<T>> outGradient;
  Output<Vector<T>> out;
  unsigned char type;

  bool compute(unsigned worker) {
    const auto r = shareOf(out.size(), worker, numWorkers());
    for (unsigned i = r.begin; i < r.end; ++i)
      out[i] = static_cast<T>(slope(static_cast<Type>(type), static_cast<float>(act[i])) *
                              static_cast<float>(outGradient[i]));
    return true;
  }
  std::uint64_t estimateCycles() const {
    return tileCycles(static_cast<Type>(type), out.size(), numWorkers());
  }
};

template class NonLinearity1D<float>;
template class NonLinearity1D<half>;
template class NonLinearityInPlace1D<float>;
template class NonLinearityInPlace1D<half>;
template class NonLinearityGrad1D<float>;
template class NonLinearityGrad1D<half>;

} // namespace popnn
