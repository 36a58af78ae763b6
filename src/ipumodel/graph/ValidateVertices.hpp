// The rules of one compute set.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/MappingCheck.hpp"

namespace ipumodel {

// Throws as validate() says.
void validateComputeSet(const GraphData& graph, const ComputeSet& set, MappingCheck& mapping);

} // namespace ipumodel
