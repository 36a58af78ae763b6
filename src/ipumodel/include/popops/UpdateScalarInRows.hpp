// The gradient of a cross entropy from a softmax, in place.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// params[r][indices[r]] -= 1, unless the index is MASKED_LABEL_CODE; where it is out of range, the
/// row becomes NaN. params: [rows][width], FLOAT or HALF; indices: UNSIGNED_INT.
void updateScalarInRows(poplar::Graph& graph, const poplar::Tensor& params,
                        const poplar::Tensor& indices, poplar::program::Sequence& program,
                        const poplar::DebugContext& debugContext = {});

} // namespace popops
