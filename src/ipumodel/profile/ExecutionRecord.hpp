// From what an account counted and what the steps cost to the execution part of a profile.
#pragma once

#include "profile/Account.hpp"
#include "profile/BlockFilter.hpp"
#include "profile/CostTable.hpp"
#include "profile/ProfileData.hpp"
#include "profile/ProgramTree.hpp"

namespace ipumodel {

// Also fills in what the compute sets' vertices said they cost.
ExecutionInfo makeExecutionRecord(const Account& account, const CostTable& costs,
                                  const ProgramTree& tree, const BlockFilter& blocks,
                                  std::vector<ComputeSetInfo>& computeSets);

} // namespace ipumodel
