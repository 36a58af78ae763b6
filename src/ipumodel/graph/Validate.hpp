// The rules of a whole graph, checked when an executable is made of it.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"

#include <vector>

namespace ipumodel {

// Checks what the programs use, and nothing else:
//   every element and every vertex is on a tile                            invalid_tile_mapping
//   every edge of every vertex is connected, every vector has a size       graph_connection_error,
//                                                                          no_size_specified
//   no vector is longer than its layout can count, but on the CPU          graph_connection_error
//   tensors are those of the graph                                         poplar_error
//   no element is written by two vertices of a compute set                 graph_connection_error
//   no element is read by one vertex of a compute set and written by another  graph_cycle_error
//   constants are not written, copies do not write an element twice,
//   programs only name what the graph has                                  control_program_error
//   functions do not call themselves                                       graph_recursion_error
void validate(const GraphData& graph, const std::vector<ProgramPtr>& programs);

} // namespace ipumodel
