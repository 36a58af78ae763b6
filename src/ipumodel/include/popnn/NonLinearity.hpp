// Non-linearities, forward and backward. FLOAT and HALF.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/NonLinearityDef.hpp>

#include <iosfwd>

namespace popnn {

/// What SOFTMAX_SCALED multiplies probabilities by, to use more of the range of a HALF.
constexpr float SOFTMAX_SCALING = 16384.0f;

std::ostream& operator<<(std::ostream& os, NonLinearityType type);
std::istream& operator>>(std::istream& is, NonLinearityType& type);

void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
poplar::Tensor nonLinearity(poplar::Graph& graph, NonLinearityType nonLinearityType,
                            poplar::Tensor t, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});

/// The same; nonLinearityScaling is set to the factor that the result contains: SOFTMAX_SCALING for
/// SOFTMAX_SCALED, otherwise 1.
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         float& nonLinearityScaling, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
poplar::Tensor nonLinearity(poplar::Graph& graph, NonLinearityType nonLinearityType,
                            poplar::Tensor t, float& nonLinearityScaling,
                            poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});

/// The gradient of the input from that of the output. `act` is the output; for GELU, GELU_ERF and
/// SWISH the input.
poplar::Tensor nonLinearityInputGradient(poplar::Graph& graph, NonLinearityType nonLinearityType,
                                         poplar::Tensor act, poplar::Tensor outGradient,
                                         poplar::program::Sequence& prog,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});

/// As vertices of a compute set: of all but the softmax types, for which they throw poplibs_error.
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         poplar::ComputeSet& cs, const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
void nonLinearityInPlace(poplar::Graph& graph, NonLinearityType nonLinearityType, poplar::Tensor t,
                         float& nonLinearityScaling, poplar::ComputeSet& cs,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
poplar::Tensor nonLinearityInputGradient(poplar::Graph& graph, NonLinearityType nonLinearityType,
                                         poplar::Tensor act, poplar::Tensor outGradient,
                                         poplar::ComputeSet& cs,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});

// The forms of a non-linearity differ in their names alone; only a macro can make those.
#define DEF_NONLINEARITY_INPLACE(fn, nlType)                                                       \
  inline void fn##InPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog, \
                          const poplar::DebugContext& debugContext = {}) {                         \
    nonLinearityInPlace(graph, nlType, t, prog, debugContext);                                     \
  }                                                                                                \
  inline void fn##InPlace(poplar::Graph& graph, poplar::Tensor t, float& nonLinearityScaling,      \
                          poplar::program::Sequence& prog,                                         \
                          const poplar::DebugContext& debugContext = {}) {                         \
    nonLinearityInPlace(graph, nlType, t, nonLinearityScaling, prog, debugContext);                \
  }
#define DEF_NONLINEARITY_(fn, nlType)                                                              \
  inline poplar::Tensor fn(poplar::Graph& graph, poplar::Tensor t,                                 \
                           poplar::program::Sequence& prog,                                        \
                           const poplar::DebugContext& debugContext = {}) {                        \
    return nonLinearity(graph, nlType, t, prog, debugContext);                                     \
  }                                                                                                \
  inline poplar::Tensor fn(poplar::Graph& graph, poplar::Tensor t, float& nonLinearityScaling,     \
                           poplar::program::Sequence& prog,                                        \
                           const poplar::DebugContext& debugContext = {}) {                        \
    return nonLinearity(graph, nlType, t, nonLinearityScaling, prog, debugContext);                \
  }
#define DEF_NONLINEARITY(fn, nlType)                                                               \
  DEF_NONLINEARITY_INPLACE(fn, nlType)                                                             \
  DEF_NONLINEARITY_(fn, nlType)

DEF_NONLINEARITY(sigmoid, NonLinearityType::SIGMOID)
DEF_NONLINEARITY(relu, NonLinearityType::RELU)
DEF_NONLINEARITY(tanh, NonLinearityType::TANH)
DEF_NONLINEARITY(gelu, NonLinearityType::GELU)
DEF_NONLINEARITY(softmax, NonLinearityType::SOFTMAX)
DEF_NONLINEARITY(softmaxStable, NonLinearityType::SOFTMAX_STABLE)
DEF_NONLINEARITY(scaledSoftmaxStable, NonLinearityType::SOFTMAX_SCALED)

} // namespace popnn
