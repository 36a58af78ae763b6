#include "plan/MemoryModel.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// How often `each` fits into what `used` leaves of the budget.
std::uint64_t room(std::uint64_t budget, std::uint64_t used, std::uint64_t each) {
  if (used > budget)
    return 0;
  return each == 0 ? kUnlimited : (budget - used) / each;
}

// Code and headers of what goes off the chip, in packets of at most 256 bytes, and of what comes
// in, 1,024.
std::uint64_t packets(std::uint64_t bytes, std::uint64_t perPacket) {
  return bytes == 0 ? 0 : 8 + 16 * ceilDivide(bytes, perPacket);
}
std::uint64_t out(std::uint64_t bytes) {
  return packets(bytes, 256);
}
std::uint64_t in(std::uint64_t bytes) {
  return packets(bytes, 1024);
}

// A tile's pieces of a spilled buffer end packets early, by how much depends on where each begins:
// four packets and more of the buffers of tests/graphs/LedgerTest.cpp, by the ledger.
constexpr std::uint64_t kBytesOfEarlyEnds = 4 * 16;

// Exchange code of an IO tile for a piece of a state: received from its tile, and sent there.
constexpr std::uint64_t kBytesOfStagedPiece = 12 + 8;

} // namespace

MemoryDemand demandOf(const Schedule& schedule) {
  MemoryDemand demand;
  demand.numSlots = schedule.numSlots;
  demand.overlap = schedule.numStaging != 0;
  for (const Action& action : schedule.actions) {
    demand.transferStates = std::max<std::uint64_t>(demand.transferStates, action.count);
    demand.lightSteps = demand.lightSteps || action.kind == ActionKind::Light;
  }
  demand.numSpikeSteps = schedule.spikeBlock == 0 ? std::uint64_t{schedule.numSteps} + 1
                                                  : std::uint64_t{schedule.numSpikeBuffers} *
                                                        (std::uint64_t{schedule.spikeBlock} + 1);
  demand.numSpikeBuffers = schedule.spikeBlock == 0 ? 0 : schedule.numSpikeBuffers;
  demand.numSteps = schedule.numSteps;
  demand.surrogateCache = schedule.cachesSurrogate;
  demand.numActions = schedule.actions.size() + 2; // the loss, the end
  demand.numRows = schedule.numRows;
  return demand;
}

MemoryModel::MemoryModel(MachineBytes machine) : machine_(std::move(machine)) {
  for (const TileBytes& tile : machine_.tiles) {
    stateBytes_ += tile.stateBytes;
    spikeBytesPerStep_ += tile.spikeBytesPerStep;
    spilledBytesPerStep_ += tile.spilledBytesPerStep;
    inputBytesPerStep_ += tile.inputBytesPerStep;
    spilledInputBytesPerStep_ += tile.spilledInputBytesPerStep;
    cacheBytesPerStep_ += tile.cacheBytesPerStep;
  }
}

std::uint64_t MemoryModel::stagingBytes(std::uint32_t tile, const MemoryDemand& demand) const {
  if (demand.transferStates == 0 || !(demand.overlap || machine_.stagesAllTransfers))
    return 0;
  const std::uint64_t states = demand.transferStates * (demand.overlap ? 2 : 1);
  const TileBytes& bytes = machine_.tiles[tile];
  return states * (usesIoTiles(demand) ? bytes.stagedBytes : bytes.stateBytes);
}

std::uint64_t MemoryModel::packetBytes(const TileBytes& tile, const MemoryDemand& demand) const {
  const std::uint64_t states =
      demand.transferStates * (usesIoTiles(demand) ? tile.stagedBytes : tile.stateBytes);
  std::uint64_t bytes = out(states) + in(states);
  if (usesIoTiles(demand))
    bytes += kBytesOfStagedPiece * tile.stagedPieces;
  if (demand.numSpikeBuffers == 0)
    return bytes + in(demand.numSteps * tile.inputBytesPerStep);
  const std::uint64_t rows = demand.numSpikeSteps / demand.numSpikeBuffers;
  const std::uint64_t layers = rows * (tile.spikeBytesPerStep - tile.inputBytesPerStep);
  if (tile.spikeBytesPerStep != 0)
    bytes += demand.numSpikeBuffers * kBytesOfEarlyEnds;
  // Each buffer is filled with inputs in the forward pass and again with everything.
  return bytes + demand.numSpikeBuffers *
                     (out(layers) + in(layers) + 2 * in((rows - 1) * tile.inputBytesPerStep));
}

std::uint64_t MemoryModel::hostStagingBytes(const MemoryDemand& demand) const {
  const std::uint64_t rows =
      demand.numSpikeBuffers == 0 ? 0 : demand.numSpikeSteps / demand.numSpikeBuffers;
  const std::uint64_t states = demand.transferStates * stateBytes_;
  const std::uint64_t spikes = rows * spilledBytesPerStep_;
  const std::uint64_t values = demand.surrogateCache ? rows * cacheBytesPerStep_ : 0;
  const std::uint64_t moved =
      kTransfersAtOnce * std::max({states, spikes, values}) + states + spikes + values;
  // The stream of a sequence's inputs has room for all of them.
  return moved + (rows == 0 ? demand.numSteps * inputBytesPerStep_ : 0);
}

std::uint64_t MemoryModel::tableBytes(const MemoryDemand& demand) const {
  const std::uint64_t page = std::uint64_t{machine_.bytesPerAction} * kActionsPerPage;
  const std::uint64_t whole = machine_.bytesPerAction * demand.numActions;
  if (whole <= page)
    return whole;
  return page + (machine_.hasPackets ? 2 * in(page) : 0); // the first page, and any further one
}

std::uint64_t MemoryModel::controlBytes(const MemoryDemand& demand) const {
  const ControlBytes& control = machine_.control;
  std::uint64_t bytes = demand.lightSteps ? control.light : 0;
  if (demand.transferStates != 0)
    bytes += control.transfers;
  if (demand.numSpikeBuffers != 0)
    bytes += control.spill +
             demand.numSpikeBuffers *
                 (control.spillBuffer + (demand.surrogateCache ? control.spillValues : 0));
  return bytes;
}

std::uint64_t MemoryModel::listBytes(const TileBytes& tile, const MemoryDemand& demand) const {
  const bool appends = appendsLists(demand);
  std::uint64_t bytes = tile.spikeBytesPerStep + (appends ? tile.appendedSpikeBytesPerStep : 0);
  if (demand.surrogateCache)
    bytes += tile.cacheBytesPerStep + (appends ? tile.appendedCacheBytesPerStep : 0);
  return bytes;
}

MemoryParts MemoryModel::onTile(std::uint32_t index, const MemoryDemand& demand) const {
  const TileBytes& tile = machine_.tiles[index];
  MemoryParts parts = tile.fixed;
  parts.states += demand.numSlots * tile.stateBytes;
  parts.spikes = demand.numSpikeSteps * listBytes(tile, demand);
  parts.temporaries += demand.numSteps * tile.labelBytesPerStep;
  if (demand.numSpikeBuffers == 0)
    parts.temporaries += demand.numSteps * tile.lateBytesPerStep;
  parts.staging = stagingBytes(index, demand);
  if (demand.numSpikeBuffers != 0)
    parts.staging += demand.numSpikeSteps / demand.numSpikeBuffers * tile.maskBytesPerStep;
  if (machine_.stagesOnHost && index == 0)
    parts.staging += hostStagingBytes(demand);
  if (machine_.hasPackets)
    parts.rest += packetBytes(tile, demand);
  if (demand.lightSteps) {
    parts.temporaries += tile.lightBytes;
    parts.rest += tile.lightProgramBytes;
  }
  if (demand.surrogateCache) {
    parts.temporaries += tile.cacheBytes;
    parts.rest += tile.cacheProgramBytes;
  }
  if (demand.transferStates != 0 && tile.stateBytes != 0)
    parts.rest += machine_.transferProgramBytes;
  if (index == 0)
    parts.rest += tableBytes(demand);
  parts.rest += controlBytes(demand);
  const std::uint64_t ofSequence = parts.adjoint + parts.temporaries; // dead by then
  if (tile.sumBytes > ofSequence)
    parts.temporaries += tile.sumBytes - ofSequence;
  return parts;
}

RemoteUse MemoryModel::remote(const MemoryDemand& demand) const {
  RemoteUse use;
  if (demand.numRows != 0) // and one that takes what a short transfer leaves unused
    use.states = (demand.numRows + 1) * stateBytes_;
  const std::uint64_t rows =
      demand.numSpikeBuffers == 0 ? 0 : demand.numSpikeSteps / demand.numSpikeBuffers;
  const std::uint64_t block = rows == 0 ? demand.numSteps : rows - 1; // steps
  if (rows != 0) {
    const std::uint64_t numBlocks = ceilDivide(demand.numSteps, block);
    use.spikes = numBlocks * (rows * (spilledBytesPerStep_ - spilledInputBytesPerStep_) +
                              block * spilledInputBytesPerStep_);
    use.values = demand.surrogateCache ? numBlocks * rows * cacheBytesPerStep_ : 0;
  }
  // Of training and of evaluation, which goes forward block by block.
  const std::uint64_t evaluate = demand.numSteps == 0 ? 0 : (demand.numSteps - 1) / block + 3;
  if (std::max(demand.numActions, evaluate) > kActionsPerPage)
    use.table = std::uint64_t{machine_.bytesPerAction} * kActionsPerPage *
                (numPages(demand.numActions) + numPages(evaluate));
  return use;
}

MemoryUse MemoryModel::use(const MemoryDemand& demand) const {
  MemoryUse result;
  for (std::uint32_t tile = 0; tile < machine_.tiles.size(); ++tile) {
    const MemoryParts parts = onTile(tile, demand);
    result.totalBytes += parts.total();
    if (appendsLists(demand))
      result.appendedBytes +=
          parts.spikes - demand.numSpikeSteps * (machine_.tiles[tile].inputBytesPerStep +
                                                 machine_.tiles[tile].gateBytesPerStep);
    if (parts.total() > result.largest.total()) {
      result.largest = parts;
      result.largestTile = tile;
    }
  }
  result.meanBytes =
      static_cast<double>(result.totalBytes) / static_cast<double>(machine_.tiles.size());
  return result;
}

std::uint64_t MemoryModel::bytesAgainst(const MemoryDemand& demand, Limit limit) const {
  std::uint64_t most = 0, sum = 0;
  for (std::uint32_t tile = 0; tile < machine_.tiles.size(); ++tile) {
    const std::uint64_t bytes = onTile(tile, demand).total();
    most = std::max(most, bytes);
    sum += bytes;
  }
  return limit == Limit::PerTile ? most : sum;
}

bool MemoryModel::fits(const MemoryDemand& demand, std::uint64_t budgetBytes, Limit limit) const {
  return bytesAgainst(demand, limit) <= budgetBytes;
}

std::uint64_t MemoryModel::mostSlots(MemoryDemand demand, std::uint64_t budgetBytes,
                                     Limit limit) const {
  demand.numSlots = 0;
  if (limit == Limit::Total)
    return room(budgetBytes, bytesAgainst(demand, limit), stateBytes_);
  std::uint64_t most = kUnlimited;
  for (std::uint32_t tile = 0; tile < machine_.tiles.size(); ++tile)
    most = std::min(
        most, room(budgetBytes, onTile(tile, demand).total(), machine_.tiles[tile].stateBytes));
  return most;
}

} // namespace spillway::plan
