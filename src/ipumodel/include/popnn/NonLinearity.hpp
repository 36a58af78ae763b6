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

poplar::Tensor sigmoid(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});
poplar::Tensor relu(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
poplar::Tensor tanh(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
poplar::Tensor gelu(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
poplar::Tensor softmax(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {});
poplar::Tensor softmaxStable(poplar::Graph& graph, poplar::Tensor t,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {});

void sigmoidInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
void reluInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext = {});
void tanhInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext = {});
void geluInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext = {});
void softmaxInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});
void softmaxStableInPlace(poplar::Graph& graph, poplar::Tensor t, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {});

} // namespace popnn
