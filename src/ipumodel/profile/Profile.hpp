// Makes the profile of a graph and its programs, and checks that they fit.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "profile/Account.hpp"
#include "profile/BlockFilter.hpp"
#include "profile/CostTable.hpp"
#include "profile/ProfileData.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ipumodel {

// The profile of one executable. Everything is worked out on request and kept.
class Profiler {
public:
  // `machineOption` as machineOf() takes it. REQUIRES: `graph` outlives the profiler.
  Profiler(const GraphData& graph, std::vector<ProgramPtr> programs,
           const std::string& machineOption = "");
  ~Profiler();

  const StepTable& steps() const { return steps_; }
  const CostTable& costs();

  // An account for an engine that runs these programs.
  std::unique_ptr<Account> makeAccount() const;

  // With an account, also what it has seen so far, and of blocks those that the filter lets pass.
  std::shared_ptr<const ProfileData> profile(const Account* account,
                                             const BlockFilter& blocks = {});

  // The first tile that needs more than it has, if any. Throws nothing; what to do about it is the
  // engine's choice.
  struct Shortage {
    std::uint32_t tile = 0; // of those over the limit, the one that needs most
    std::uint64_t bytesNeeded = 0;
    std::uint64_t bytesPerTile = 0;
    std::uint32_t tilesOver = 0;
    struct Item {
      std::string name;
      std::uint64_t bytes = 0; // on that tile
    };
    std::vector<Item> largest; // at most ten, largest first

    std::string message() const;
  };
  std::optional<Shortage> shortage();

private:
  const ProfileData& compiled();

  const GraphData& graph_;
  std::vector<ProgramPtr> programs_;
  StepTable steps_;
  MachineDescription machine_;
  std::unique_ptr<CostTable> costs_;
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

} // namespace ipumodel
