// The programs of a profile: one for each step and, where a step has several phases, one for each.
#pragma once

#include "graph/GraphData.hpp"
#include "profile/CostTable.hpp"
#include "profile/ProfileData.hpp"

#include <cstdint>
#include <vector>

namespace ipumodel {

struct ProgramTree {
  std::vector<ProgramInfo> programs;
  std::vector<std::uint32_t> ofStep;              // by step: its program
  std::vector<std::vector<std::uint32_t>> ofPart; // by step and part: the part's program
};

ProgramTree makeProgramTree(const GraphData& graph, const StepTable& steps, const CostTable& costs);

} // namespace ipumodel
