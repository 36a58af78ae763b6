// From a graph and its programs to a LoweredProgram.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "lower/LoweredProgram.hpp"

#include <vector>

namespace ipumodel {

// The graph must have passed its checks. Throws poplar::control_program_error for a bad program.
// The result points into `graph` (vertex types) and `programs` (nodes), which must outlive it.
LoweredProgram lower(const GraphData& graph, const std::vector<ProgramPtr>& programs);

} // namespace ipumodel
