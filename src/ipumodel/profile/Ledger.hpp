// Bytes per tile by category.
#pragma once

#include "graph/GraphData.hpp"
#include "profile/CostTable.hpp"
#include "profile/Liveness.hpp"
#include "profile/ProfileData.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ipumodel {

struct Ledger {
  std::vector<TileMemory> tiles;           // by tile of one replica
  std::vector<LivenessStep> livenessSteps; // program is the StepId, to be mapped by the caller
};

// `types` numbers the vertex types of TileMemory::vertices.
Ledger makeLedger(const GraphData& graph, const StepTable& steps, const CostTable& costs,
                  const Liveness& liveness, const std::vector<const VertexType*>& types);

// The vertex types of compute sets that some step executes, in order of first use.
std::vector<const VertexType*> usedTypes(const GraphData& graph, const StepTable& steps);

// Compute sets that some step executes, ascending.
std::vector<ComputeSetId> usedComputeSets(const StepTable& steps);

} // namespace ipumodel
