// One element of each row.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// Element r is params[r][indices[r]]; 0 where the index is MASKED_LABEL_CODE, NaN where it is out
/// of range. params: [rows][width], FLOAT or HALF; indices: UNSIGNED_INT.
poplar::Tensor selectScalarFromRows(poplar::Graph& graph, const poplar::Tensor& params,
                                    const poplar::Tensor& indices, poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});

} // namespace popops
