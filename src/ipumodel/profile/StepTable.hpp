// Numbers the nodes of an engine's programs, so that the account can keep one counter per node.
//
// A node that occurs twice in the trees is one step: Programs are shared, and so is their code.
#pragma once

#include "graph/Ids.hpp"
#include "graph/ProgramNode.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace ipumodel {

using StepId = Id<struct StepTag>;

class StepTable {
public:
  // Walks the programs in order, then the functions, parents before children.
  StepTable(std::span<const ProgramPtr> programs, std::span<const ProgramPtr> functions);

  // REQUIRES: the node is part of the programs or functions.
  StepId of(const ProgramNode& node) const { return ids_.at(&node); }

  const ProgramNode& node(StepId step) const { return *nodes_[step.value]; }
  std::size_t size() const { return nodes_.size(); }

private:
  void add(const ProgramPtr& node);

  std::vector<ProgramPtr> nodes_;
  std::unordered_map<const ProgramNode*, StepId> ids_;
};

// The programs inside a node, null ones left out.
std::vector<ProgramPtr> childrenOf(const ProgramNode& node);

} // namespace ipumodel
