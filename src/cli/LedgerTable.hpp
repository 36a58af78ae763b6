// Memory as planned beside the IPU Model's ledger, for people and for programs.
#pragma once

#include "plan/MemoryModel.hpp"

#include <string>
#include <vector>

namespace spillway {

struct LedgerComparison {
  std::string strategy;                           // with its parameters
  std::vector<plan::MemoryParts> planned, ledger; // by tile
  plan::RemoteUse plannedRemote, heldRemote;      // as planned, and the graph's remote buffers
};
std::string ledgerAsText(const LedgerComparison& comparison);
std::string ledgerAsJson(const LedgerComparison& comparison);

} // namespace spillway
