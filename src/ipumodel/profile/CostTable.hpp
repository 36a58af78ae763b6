// What each step of the programs costs when it is executed once, as far as that is known
// beforehand.
#pragma once

#include "graph/GraphData.hpp"
#include "machine/MachineParameters.hpp"
#include "profile/StepTable.hpp"
#include "profile/Traffic.hpp"
#include "profile/TransfersBeside.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace ipumodel {

enum class PartKind : std::uint8_t {
  Sync,
  Exchange,       // between tiles
  OnTileCopy,     // inside tiles
  Compute,        // vertices
  GlobalExchange, // between IPUs
  StreamCopy,     // to or from the host
  RemoteCopy,     // to or from Streaming Memory
};

// A phase of a step. All tiles take part in it for its cycles, busy or waiting.
struct StepPart {
  PartKind kind;
  std::uint64_t cycles = 0;
  std::uint64_t joinedCycles = 0;   // StreamCopy: when it joins the host exchange right before it
  std::uint64_t bytes = 0;          // moved
  const Traffic* traffic = nullptr; // Exchange, OnTileCopy, GlobalExchange
  const BytesByTile* offChip = nullptr; // StreamCopy, RemoteCopy: bytes by tile
  bool toHost = false;                  // direction of the last two
};

struct TileEstimate {
  std::uint32_t tile;
  std::uint64_t cycles;     // tile cycles
  std::uint64_t busyCycles; // over all worker contexts
};

// One execution of a compute set, from the estimates its vertices have before they run.
struct ComputeSetCost {
  std::vector<TileEstimate> tiles; // those with vertices, ascending
  std::uint64_t cycles = 0;        // of the slowest tile, without control
  std::uint64_t flops = 0;
  std::uint32_t unknownVertices = 0; // neither an estimate nor a cost function
  std::uint32_t askedVertices = 0;   // with a cost function: known only after they ran
};

struct StepCost {
  std::vector<StepPart> parts;
  std::optional<ComputeSetId> computeSet; // of an Execute
  LinkUse link = LinkUse::None;           // where copies run beside the program
};

class CostTable {
public:
  // REQUIRES: `graph` and `steps` outlive the table.
  CostTable(const GraphData& graph, const StepTable& steps, const MachineParameters& machine);

  const StepCost& step(StepId step) const { return steps_[step.value]; }
  std::size_t size() const { return steps_.size(); }

  // Empty for a compute set that no program executes.
  const ComputeSetCost& computeSet(ComputeSetId id) const { return computeSets_[id.value]; }

  const MachineParameters& machine() const { return machine_; }

private:
  struct Builder;

  MachineParameters machine_;
  std::vector<StepCost> steps_;
  std::vector<ComputeSetCost> computeSets_;
  std::deque<Traffic> traffics_;     // parts point here
  std::deque<BytesByTile> offChips_; // and here
};

} // namespace ipumodel
