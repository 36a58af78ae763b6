// What a poplar::Executable points at.
#pragma once

#include "engine/EngineOptions.hpp"
#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "lower/LoweredProgram.hpp"

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

#include <iosfwd>
#include <memory>
#include <vector>

namespace ipumodel {

struct ExecutableData {
  poplar::Target target; // of all replicas
  poplar::OptionFlags options;
  LoweredProgram program;
  CodeletLibrary codelets; // what program's vertex types live in

  // What the program was lowered from, for the account.
  std::shared_ptr<const GraphData> graph;
  std::vector<ProgramPtr> programs;
};

// Checks, lowers. Throws by class what the graph does wrong; on an IPU target also
// poplar::graph_memory_allocation_error when a tile overflows, unless that is allowed.
std::shared_ptr<const ExecutableData> compile(std::shared_ptr<const GraphData> graph,
                                              std::vector<ProgramPtr> programs,
                                              const EngineOptions& options);

// Versioned and self-contained: the codelets' objects are part of it.
void serialize(const ExecutableData& executable, std::ostream& out);
std::shared_ptr<const ExecutableData> deserialize(std::istream& in);

} // namespace ipumodel
