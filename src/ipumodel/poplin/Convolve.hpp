// The convolution proper, and the views that transforms make of its operands.
#pragma once

#include "poplin/ConvPlan.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplin/ConvParams.hpp>

namespace poplin {

// Applies a transform to the last dimensions of t.
poplar::Tensor transformed(poplar::Graph& graph, poplar::Tensor t,
                           const ConvParams::InputTransform& transform);

// factor - 1 zeros between each two elements of a dimension.
poplar::Tensor dilated(poplar::Graph& graph, const poplar::Tensor& t, unsigned factor,
                       unsigned dim);

// [G][B][C][field] with three field dimensions, of an input or output [B][G * C][field]; and back.
poplar::Tensor groupsFirst(const poplar::Tensor& t, std::size_t groups);
poplar::Tensor batchFirst(const poplar::Tensor& t, std::size_t numFieldDims);
// The same of weights [G][Co][Ci][kernel].
poplar::Tensor withThreeDims(const poplar::Tensor& weights);

// The blocks of a plan: of the raw input [G][B][Ci][field], and of the weights' output channels.
void mapInput(poplar::Graph& graph, const poplar::Tensor& in, const ConvPlan& plan);
void mapWeights(poplar::Graph& graph, const poplar::Tensor& weights, std::size_t batch,
                const ConvPlan& plan);

// in [G][B][Ci][field], weights [G][Co][Ci][kernel]; gives [G][B][Co][field].
poplar::Tensor convolve(poplar::Graph& graph, const poplar::Tensor& in,
                        const poplar::Tensor& weights, const Field& stride,
                        const poplar::Type& outputType, poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext);

} // namespace poplin
