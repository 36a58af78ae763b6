// Parameter updates on the tile that owns the parameters.
#include "maths/Hyper.hpp"
#include "maths/Update.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;
using namespace spillway;

// Brings values into [0, 1].
class ClampToUnit : public MultiVertex {
public:
  InOut<Vector<float, VectorLayout::SPAN, 8>> values;

  bool compute(unsigned worker) {
    const Slice slice = workerSlice(values.size(), worker, numWorkers());
    float* value = &values[0];
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      const float low = value[i] < 0.0f ? 0.0f : value[i];
      value[i] = low > 1.0f ? 1.0f : low;
    }
    return true;
  }

  unsigned long estimateCycles() const { return tileCycles(updateInstructions(values.size(), 4)); }
};

// Stochastic gradient descent, with momentum where there is a velocity.
template <bool withMomentum>
class SgdUpdate : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> hyper; // HyperWord
  Input<float> clip;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> gradient;
  InOut<Vector<float, VectorLayout::SPAN, 8>> parameter;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> velocity; // unused without momentum
  const float momentum, weightDecay;

  bool compute(unsigned worker) {
    const Slice slice = workerSlice(parameter.size(), worker, numWorkers());
    const float rate = hyper[kLearningRate], factor = *clip;
    const float* g = &gradient[0];
    float* p = &parameter[0];
    float* v = &velocity[0];
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      float step = clipped(g[i], factor) + weightDecay * p[i];
      if constexpr (withMomentum) {
        step += momentum * v[i];
        v[i] = step;
      }
      p[i] -= rate * step;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(updateInstructions(parameter.size(), 8));
  }
};

// Adam; `decoupled` is AdamW.
template <bool decoupled>
class AdamUpdate : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR>> hyper; // HyperWord
  Input<float> clip;
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> gradient;
  InOut<Vector<float, VectorLayout::SPAN, 8>> parameter;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> mean;
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> variance;
  const float beta1, beta2;
  const float ofMean, ofSquare; // 1 - beta1, 1 - beta2: floats would lose digits of these
  const float epsilon, weightDecay;

  bool compute(unsigned worker) {
    const Slice slice = workerSlice(parameter.size(), worker, numWorkers());
    const float rate = hyper[kLearningRate], factor = *clip;
    const float meanCorrection = hyper[kMeanCorrection],
                varianceCorrection = hyper[kVarianceCorrection];
    const float* gradients = &gradient[0];
    float* p = &parameter[0];
    float* m = &mean[0];
    float* v = &variance[0];
    for (unsigned long i = slice.begin; i < slice.end; ++i) {
      float g = clipped(gradients[i], factor);
      if constexpr (!decoupled) {
        g += weightDecay * p[i];
      }
      m[i] = beta1 * m[i] + ofMean * g;
      v[i] = beta2 * v[i] + ofSquare * g * g;
      if constexpr (decoupled) {
        p[i] -= rate * weightDecay * p[i];
      }
      p[i] -= rate * (m[i] * meanCorrection) / (std::sqrt(v[i] * varianceCorrection) + epsilon);
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(updateInstructions(parameter.size(), 30));
  }
};

template class SgdUpdate<false>;
template class SgdUpdate<true>;
template class AdamUpdate<false>;
template class AdamUpdate<true>;
