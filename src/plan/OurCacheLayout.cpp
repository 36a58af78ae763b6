#include "plan/OurCacheLayout.hpp"

#include "plan/HistorySpread.hpp"

namespace spillway::plan {

namespace {

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kListHeader = 2;            // words that have no value
constexpr std::uint64_t kControlOfEveryTile = 12;   // one more exchange
constexpr std::uint64_t kGatherVertexBytes = 44;    // of a group
constexpr std::uint64_t kShardVertexBytes = 2 * 24; // that store and fetch values
constexpr std::uint64_t kShardControlBytes = 20;

bool exchanges(const LayoutInWork& work) {
  return work.layout.history == OurLayout::History::OverAllTiles;
}

// What a layer's tile writes for the groups, and reads of them again.
void addShare(const LayoutInWork& work, std::size_t list, const TileShare& share) {
  const std::uint64_t block = std::uint64_t{work.layout.batch} * work.layout.blockSteps;
  for (const Phase phase : {Phase::Update, Phase::Compact, Phase::Cache})
    work.programs[share.tile].livesWithCache(phase, kFloatBytes * block * share.numNeurons);
  if (!exchanges(work))
    return;
  work.programs[share.tile].livesWithCache(Phase::Adjoint,
                                           kFloatBytes * block * work.shapes.capacities[list]);
  work.machine.tiles[share.tile].cacheProgramBytes +=
      kInstructionBytes * (2 * work.groups[list].size() + 1);
}

// The values of a group's samples, gathered from the layer's tiles.
void addGroup(const LayoutInWork& work, std::size_t list, const Group& group) {
  if (!exchanges(work) && work.layout.blockSteps > 1 &&
      work.shapes.units[list - 1].stateFloats == 1)
    return; // they go to the history at once
  const std::uint64_t rows = group.numSamples * work.layout.blockSteps;
  TileProgram& program = work.programs[group.tile];
  const std::uint64_t values = kFloatBytes * rows * work.shapes.capacities[list];
  program.livesWithCache(Phase::Cache, values);
  program.livesWithCache(Phase::Adjoint, values);
  if (!exchanges(work))
    return;
  program.livesWithCache(Phase::Cache, kFloatBytes * rows * work.shapes.units[list - 1].size);
  const std::uint64_t numMakers = work.partition.layers[list - 1].size();
  work.machine.tiles[group.tile].cacheProgramBytes +=
      kGatherVertexBytes + kFragmentBytes + (4 + kFragmentBytes) * numMakers;
}

} // namespace

void addSurrogateCache(const LayoutInWork& work) {
  std::vector<bool> gathers(work.programs.size()), stores(work.programs.size());
  for (std::size_t list = 1; list < work.shapes.capacities.size(); ++list) {
    for (const TileShare& share : work.partition.layers[list - 1])
      addShare(work, list, share);
    for (const Group& group : work.groups[list]) {
      addGroup(work, list, group);
      gathers[group.tile] = true;
    }
  }
  if (!exchanges(work))
    return;
  const std::uint32_t tiles = work.partition.numTiles - 1 - work.partition.numIoTiles;
  for (const ListShard& shard : spreadLists(work.shapes.widths(), work.layout.batch, tiles))
    if (shard.list != 0 && shard.firstWord + shard.numWords > kListHeader) {
      const Group& group = work.groups[shard.list][shard.sample / work.layout.samplesPerGroup];
      work.machine.tiles[group.tile].cacheProgramBytes += kFragmentBytes * work.layout.blockSteps;
      work.machine.tiles[1 + shard.tile].cacheProgramBytes += kShardVertexBytes;
      stores[1 + shard.tile] = true;
    }
  for (std::size_t tile = 0; tile < work.programs.size(); ++tile)
    work.machine.tiles[tile].cacheProgramBytes +=
        kControlOfEveryTile + (gathers[tile] ? kVertexCodeBytes : 0) +
        (stores[tile] ? 2 * kVertexCodeBytes + kShardControlBytes : 0);
}

} // namespace spillway::plan
