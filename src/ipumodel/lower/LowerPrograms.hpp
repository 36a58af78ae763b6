// Flattens program trees into one instruction list.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "lower/LoweredProgram.hpp"
#include "lower/ViewSegments.hpp"

#include <vector>

namespace ipumodel {

// Fills code, entries and the tables the instructions refer to. Functions are lowered once and
// called; a function's return address and a loop's counter have one fixed place each, since
// programs cannot recurse (a recursive function throws poplar::graph_recursion_error).
void lowerPrograms(const GraphData& graph, const std::vector<ProgramPtr>& programs,
                   const VariableOffsets& offsets, LoweredProgram& program);

} // namespace ipumodel
