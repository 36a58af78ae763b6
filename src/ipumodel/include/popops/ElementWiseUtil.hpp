// Where the result of an element-wise operation lies.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <vector>

namespace popops {

/// A tensor of `outputType` in the common shape of `inputs`, mapped as the best spread of those
/// that have that shape, or linearly if none does.
poplar::Tensor createOutputForElementWiseOp(poplar::Graph& graph,
                                            const std::vector<poplar::Tensor>& inputs,
                                            const poplar::Type& outputType,
                                            const poplar::DebugContext& debugContext = {});

} // namespace popops
