// Lays vertex objects out in memory and connects them: the compute sets of a LoweredProgram.
#pragma once

#include "graph/GraphData.hpp"
#include "lower/LoweredProgram.hpp"
#include "lower/ViewSegments.hpp"

namespace ipumodel {

// Fills computeSets, image, the pointer tables and the gather and scatter lists, and grows
// scratchBytes. An edge that is one stretch of a variable, aligned if more than 8 bytes are asked
// for, points straight at it: nobody else may write there in the same compute set. Any other edge
// gets a buffer in scratch, gathered before and scattered after.
void lowerVertices(const GraphData& graph, const VariableOffsets& offsets, LoweredProgram& program);

} // namespace ipumodel
