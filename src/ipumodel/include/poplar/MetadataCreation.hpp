// Tensors of the metadata that tensors of type QUARTER refer to: one element of type
// QUARTER_METADATA.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>

namespace poplar {

// A variable that starts with those values; or one that `prog` fills from the INT scalar `scale`.
Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext = {});
Tensor createVariableMetadataTensor(Graph& graph, QuarterMetadata::Format format,
                                    const Tensor& scale, program::Sequence& prog,
                                    const DebugContext& debugContext = {});
Tensor createConstantMetadataTensor(Graph& graph, QuarterMetadata::Format format, int scale,
                                    const DebugContext& debugContext = {});

} // namespace poplar
