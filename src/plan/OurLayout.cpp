#include "plan/OurLayout.hpp"

#include "plan/HistorySpread.hpp"
#include "plan/OurCacheLayout.hpp"
#include "plan/OurGatedLayout.hpp"
#include "plan/OurHistoryLayout.hpp"
#include "plan/OurProgram.hpp"
#include "plan/OurShapes.hpp"
#include "plan/OurStaging.hpp"
#include "plan/Require.hpp"
#include "plan/TreeOrder.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kControlBytes = 44; // the words of one unit
constexpr std::uint64_t kPanelWidth = 32;   // columns of a dense product's scratch
// State of the vertices: of a unit; of a group; of those that store and fetch a shard of a list.
constexpr std::uint64_t kUnitVertexBytes = 350, kProductVertexBytes = 44, kGroupVertexBytes = 150,
                        kShardVertexBytes = 4 * 28;
// Compute sets that fetch a list, the input's and a layer's.
constexpr std::uint64_t kInputFetches = 3, kLayerFetches = 2;
// Where there are light steps: the state of a unit's vertices, and of those that fetch a shard.
constexpr std::uint64_t kLightVertexBytes = 92, kLightShardBytes = 84;
// Where states go to Streaming Memory: the code of two vertex types, and their state.
constexpr std::uint64_t kTransferProgramBytes = 2 * 400 + 132;
// 12 bytes of control for each exchange, copy, loop or branch.
constexpr ControlBytes kControl{6 * 12, 4 * 12, 2 * 12, 4 * 12, 2 * 12};
// A further type where gradients are in several copies, its vertex and control.
constexpr std::uint64_t kCopiesProgramBytes = 400 + 40;
constexpr std::uint64_t kRateProgramBytes = 400 + 60; // a further type where rates are regularised
// Of the replicas' sum: the vertex types that keep and that slice and add, a further one where
// there are several rounds, and what a round takes of state, control and exchange code.
constexpr std::uint64_t kKeepProgramBytes = 400 + 60, kSumProgramBytes = 2 * 400 + 60,
                        kRoundsProgramBytes = 400, kSumRoundBytes = 360;
// What goes to another replica goes in packets, each with a header and code.
constexpr std::uint64_t kReplicaPacketBytes = 256;

class Filler {
public:
  Filler(const NetworkSpec& network, const OptimiserSpec& optimiser, const TilePartition& partition,
         const OurLayout& layout)
      : shapes_(network),
        optimiser_(optimiser),
        partition_(partition),
        layout_(layout),
        programs_(partition.numTiles) {
    machine_.tiles.resize(partition.numTiles);
    machine_.stagesAllTransfers = true;
    machine_.bytesPerAction = layout.bytesPerAction;
    machine_.numIoTiles = partition.numIoTiles;
    machine_.hasPackets = exchanges();
    machine_.stagesOnHost = !exchanges();
    machine_.appendsLists = !exchanges();
    machine_.transferProgramBytes = exchanges() ? kTransferProgramBytes : 0;
    machine_.control = exchanges() ? kControl : ControlBytes{};
    for (std::size_t list = 0; list < shapes_.capacities.size(); ++list)
      groups_.push_back(groupsOf(list, partition, layout.batch, layout.samplesPerGroup));
  }

  MachineBytes fill() {
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      for (const TileShare& share : partition_.layers[u]) {
        addNeurons(u, share);
        addVertices(u, share);
      }
    for (std::size_t list = 0; list < shapes_.capacities.size(); ++list)
      for (const Group& group : groups_[list])
        addGroup(list, group);
    for (std::size_t u = 0; shapes_.valued && u < shapes_.units.size(); ++u) {
      addTurnedLists(inWork(), u);
      if (shapes_.units[u].spikes)
        addCarriedEvents(inWork(), u + 1);
    }
    addLoss();
    addHistory();
    if (!shapes_.valued)
      addSurrogateCache(inWork());
    addStaging(inWork());
    for (std::size_t tile = 0; tile < programs_.size(); ++tile) {
      MemoryParts& fixed = machine_.tiles[tile].fixed;
      fixed.temporaries += programs_[tile].peakBytes();
      machine_.tiles[tile].lightBytes = programs_[tile].lightPeakBytes();
      machine_.tiles[tile].cacheBytes = programs_[tile].cachePeakBytes();
      fixed.rest += kBytesOfEveryTile + programs_[tile].codeBytes();
    }
    machine_.tiles[0].fixed.rest += kBytesOfControlTile;
    return std::move(machine_);
  }

private:
  LayoutInWork inWork() { return {shapes_, partition_, layout_, groups_, machine_, programs_}; }
  bool isGatedLayer(std::size_t unit) const { return shapes_.valued && shapes_.units[unit].spikes; }
  // On a CPU a vertex reads what lies elsewhere in place.
  bool exchanges() const { return layout_.history == OurLayout::History::OverAllTiles; }
  // There, too, the backward vertices of longer blocks are for whole layers.
  bool goesBackByLayer() const { return !exchanges() && layout_.blockSteps > 1; }
  std::uint64_t block() const { return std::uint64_t{layout_.batch} * layout_.blockSteps; }
  std::uint64_t slabRows() const { return layout_.blockSteps + 1ull; }
  std::uint64_t slabBytes(std::size_t list, std::uint64_t samples) const {
    return samples * slabRows() * shapes_.width(list) * shapes_.idBytes;
  }
  // What a backward vertex receives of the rows of lists or of their gradients: those of its steps;
  // gated ones all.
  std::uint64_t ofItsSteps(std::uint64_t bytesOfAllRows) const {
    return shapes_.valued ? bytesOfAllRows : bytesOfAllRows / slabRows() * layout_.blockSteps;
  }
  std::uint64_t lightSlabBytes(std::size_t list, std::uint64_t samples) const {
    const std::uint64_t rows = layout_.lightSteps + (shapes_.valued ? 1 : 0);
    return samples * rows * shapes_.width(list) * shapes_.idBytes;
  }
  // The readout's state is of use where its loss is.
  bool runsLight(std::size_t unit) const {
    return layout_.lightSteps != 0 && (shapes_.units[unit].spikes || shapes_.lossAtEveryStep);
  }
  bool lightReads(std::size_t list) const {
    return (list < shapes_.units.size() && runsLight(list)) ||
           (list > 0 && layout_.lightSteps != 0 && shapes_.units[list - 1].recurrent);
  }
  std::uint64_t gradientBytes(std::size_t list, std::uint64_t samples) const {
    const bool whole = goesBackByLayer() && shapes_.units[list - 1].stateFloats == 1;
    const std::uint64_t rows = whole ? 1 : slabRows();
    return shapes_.dense[list] ? kFloatBytes
                               : kFloatBytes * samples * rows * shapes_.capacities[list];
  }
  // What one tile sends back to a list.
  std::uint64_t partialBytes(std::size_t list, std::uint64_t samples) const {
    return kFloatBytes * samples * layout_.blockSteps * shapes_.gradients[list];
  }

  void addNeurons(std::size_t u, const TileShare& share) {
    const UnitShape& unit = shapes_.units[u];
    TileBytes& tile = machine_.tiles[share.tile];
    TileProgram& program = programs_[share.tile];
    MemoryParts& fixed = tile.fixed;
    const std::uint64_t n = share.numNeurons, perFloat = kFloatBytes * layout_.batch * n;
    tile.stateBytes = unit.stateFloats * perFloat;
    const std::uint64_t rows = (unit.rows() + 1) * unit.gates + unit.extraRows; // with a bias
    fixed.weights = kFloatBytes * rows * n;
    fixed.gradients = layout_.gradientCopies * fixed.weights;
    if (layout_.gradientCopies > 1)
      program.addCode(kCopiesProgramBytes);
    fixed.weights += kFloatBytes * unit.connectedRows * unit.gates * n;
    const std::uint64_t trained =
        kFloatBytes * n *
        ((unit.rows() + (unit.biased ? 1 : 0)) * unit.gates + unit.trainedExtraRows);
    fixed.optimiser = optimiser_.numSlots() * trained;
    addReplicaSum(share.tile, trained);
    fixed.adjoint = unit.stateFloats * perFloat;
    if (shapes_.valued)
      addGatedTensors(inWork(), u, share);
    for (const Phase phase : {Phase::Adjoint, Phase::Gradient})
      program.lives(phase, isGatedLayer(u) ? 0 : kFloatBytes * block() * n); // scaled adjoint
    if (u > 0 && !isGatedLayer(u))
      addPartials(u, share);
    if (unit.recurrent && !isGatedLayer(u))
      addPartials(u + 1, share);
    if (!unit.spikes) {
      fixed.temporaries += 3 * perFloat; // logits, errors, best steps
      if (shapes_.lossAtEveryStep)
        fixed.temporaries += kFloatBytes * block() * n; // potentials
      return;
    }
    if (!shapes_.valued)
      fixed.temporaries += 2 * perFloat; // counts and their gradient
    if (shapes_.regularisesRates)
      fixed.temporaries += kFloatBytes * layout_.batch; // penalties
    const std::uint64_t masks = block() * 2 * ceilDivide(n, 8);
    for (const Phase phase : {Phase::Update, Phase::Compact, Phase::Light})
      program.lives(phase, masks);
    if (shapes_.dense[u + 1])
      fixed.temporaries += perFloat; // carried from block to block
  }

  // The sums kept, and while they are given away: what came in the rounds before, what goes out,
  // and what comes in.
  void addReplicaSum(std::uint32_t tile, std::uint64_t trained) {
    const OurLayout::ReplicaSums& sums = layout_.sums;
    if (sums.numRounds == 0)
      return;
    machine_.tiles[tile].fixed.gradients += sums.numSlots * trained;
    machine_.tiles[tile].sumBytes += (sums.numRounds + 1) * trained;
    if (!exchanges())
      return;
    TileProgram& program = programs_[tile];
    program.addCode(kSumProgramBytes + sums.numRounds * kSumRoundBytes);
    if (sums.numSlots != 0)
      program.addCode(kKeepProgramBytes);
    if (sums.numRounds > 1)
      program.addCode(kRoundsProgramBytes);
    const std::uint64_t copies = (sums.numReplicas - 1) * (sums.numRounds + 1);
    const std::uint64_t row = ceilDivide(trained, sums.numReplicas);
    program.addCode(copies * (8 + 16 * ceilDivide(row, kReplicaPacketBytes)));
  }

  // Of a dense product they are read before they are written again, and it needs scratch.
  void addPartials(std::size_t list, const TileShare& share) {
    const std::uint64_t bytes = partialBytes(list, layout_.batch);
    if (shapes_.dense[list] && goesBackByLayer()) {
      if (share.firstNeuron == 0)
        addLayerProducts(list, share.numNeurons);
      return;
    }
    if (shapes_.dense[list]) {
      machine_.tiles[share.tile].fixed.temporaries +=
          bytes + kFloatBytes * layout_.numWorkers * share.numNeurons * kPanelWidth;
      return;
    }
    for (const Phase phase : {Phase::Gradient, Phase::Sum})
      programs_[share.tile].lives(phase, bytes);
  }

  // What tiles receive whole of the layer above, which has tiles of so many neurons.
  void addLayerProducts(std::size_t list, std::uint64_t neuronsPerTile) {
    for (const TileShare& below : partition_.layers[list - 1])
      machine_.tiles[below.tile].fixed.temporaries +=
          kFloatBytes * (block() * below.numNeurons + neuronsPerTile * kPanelWidth);
  }

  void receive(std::uint32_t tile, Phase phase, std::size_t list, std::uint64_t bytes) {
    inWork().receive(tile, phase, list, bytes);
  }

  // What the vertices of a unit receive, and their code.
  void addVertices(std::size_t u, const TileShare& share) {
    if (!exchanges())
      return;
    const UnitShape& unit = shapes_.units[u];
    TileProgram& program = programs_[share.tile];
    program.hasVertices(VertexFamily::Unit, kUnitVertexBytes);
    if (u > 0)
      program.hasVertices(VertexFamily::Product, kProductVertexBytes);
    for (const Phase phase : {Phase::Update, Phase::Gradient}) {
      program.receivesApart(phase, kControlBytes, 1);
      if (isGatedLayer(u) && phase == Phase::Gradient)
        continue;
      const auto received = [&](std::size_t list) {
        const std::uint64_t bytes = slabBytes(list, layout_.batch);
        return phase == Phase::Gradient ? ofItsSteps(bytes) : bytes;
      };
      receive(share.tile, phase, u, received(u));
      if (unit.recurrent)
        receive(share.tile, phase, u + 1, received(u + 1));
    }
    if (shapes_.valued)
      addGatedBackwardTraffic(inWork(), u, share);
    program.receivesApart(Phase::Adjoint, kControlBytes, 1);
    if (runsLight(u)) {
      program.lives(Phase::Light, kControlBytes + lightSlabBytes(u, layout_.batch));
      std::uint64_t numSources = groups_[u].size();
      if (unit.recurrent) {
        program.lives(Phase::Light, lightSlabBytes(u + 1, layout_.batch));
        numSources += groups_[u + 1].size();
      }
      machine_.tiles[share.tile].lightProgramBytes += kLightVertexBytes + 8 * numSources;
    }
    if (unit.spikes && shapes_.regularisesRates)
      program.addCode(kRateProgramBytes);
    if (unit.spikes && shapes_.dense[u + 1]) {
      const std::uint64_t each = kFloatBytes * block() * share.numNeurons;
      if (u + 1 < partition_.layers.size())
        sums(program, Phase::Adjoint, each, partition_.layers[u + 1].size());
      if (unit.recurrent)
        sums(program, Phase::Adjoint, each, partition_.layers[u].size());
    } else if (unit.spikes) {
      if (!shapes_.valued)
        receive(share.tile, Phase::Adjoint, u + 1, ofItsSteps(slabBytes(u + 1, layout_.batch)));
      receive(share.tile, Phase::Adjoint, u + 1, ofItsSteps(gradientBytes(u + 1, layout_.batch)));
    } else if (shapes_.lossAtEveryStep) {
      receive(share.tile, Phase::Adjoint, u, kFloatBytes * block() * share.numNeurons);
    } else {
      program.addCode(8 * layout_.batch); // the errors come back from every sample's tile
    }
  }

  // The slabs and gradients of a group of samples; its making and summing of lists.
  void addGroup(std::size_t list, const Group& group) {
    TileProgram& program = programs_[group.tile];
    const std::uint64_t slab = slabBytes(list, group.numSamples);
    if (lightReads(list))
      program.lives(Phase::Light, lightSlabBytes(list, group.numSamples));
    if (list == 0) { // free while spikes are compacted
      for (const Phase phase : {Phase::Update, Phase::Adjoint, Phase::Gradient})
        program.lives(phase, slab);
      return;
    }
    machine_.tiles[group.tile].fixed.temporaries +=
        slab + gradientBytes(list, group.numSamples) + 3 * kFloatBytes * layout_.numWorkers;
    if (!shapes_.dense[list] || shapes_.units[list - 1].recurrent)
      for (const Phase phase : {Phase::Adjoint, Phase::Gradient, Phase::Sum})
        program.lives(phase, slab); // its own lists, as the layer above received them
    if (!exchanges())
      return;
    const LayerShares& makers = partition_.layers[list - 1];
    const std::uint64_t masks =
        group.numSamples * layout_.blockSteps * 2 * ceilDivide(makers.front().numNeurons, 8);
    program.hasVertices(VertexFamily::Group, kGroupVertexBytes);
    sums(program, Phase::Compact, masks, makers.size());
    if (shapes_.valued) // and the values of events
      sums(program, Phase::Compact, kFloatBytes * group.numSamples * makers.front().numNeurons,
           makers.size());
    if (shapes_.dense[list])
      return;
    const std::uint64_t partials = partialBytes(list, group.numSamples);
    if (list < shapes_.units.size())
      sums(program, Phase::Sum, partials, partition_.layers[list].size());
    if (shapes_.units[list - 1].recurrent)
      sums(program, Phase::Sum, partials, makers.size());
  }

  static void sums(TileProgram& program, Phase phase, std::uint64_t bytesEach,
                   std::uint64_t count) {
    program.receivesApart(phase, count * bytesEach, count);
    program.hasVectors(count);
  }

  void addLoss() {
    for (const Group& group : groups_.back()) {
      TileBytes& tile = machine_.tiles[group.tile];
      if (exchanges())
        programs_[group.tile].hasVertices(VertexFamily::Loss, 0);
      tile.fixed.temporaries += 2 * kFloatBytes * group.numSamples; // losses, correct ones
      const std::uint64_t labels = shapes_.labelBytes * group.numSamples;
      (shapes_.lossAtEveryStep ? tile.labelBytesPerStep : tile.fixed.temporaries) += labels;
      if (shapes_.lossAtEveryStep)
        tile.fixed.temporaries +=
            kFloatBytes * group.numSamples * layout_.blockSteps * shapes_.numOutputs;
    }
  }

  void addHistory() {
    if (!exchanges()) {
      for (std::size_t list = 0; list < groups_.size(); ++list)
        for (const Group& group : groups_[list])
          addLists(inWork(), machine_.tiles[group.tile],
                   {list, group.numSamples, 0, shapes_.width(list)});
      return;
    }
    const std::uint32_t tiles = partition_.numTiles - 1 - partition_.numIoTiles;
    for (const ListShard& shard : spreadLists(shapes_.widths(), layout_.batch, tiles)) {
      addLists(inWork(), machine_.tiles[1 + shard.tile],
               {shard.list, 1, shard.firstWord, shard.numWords});
      // Its words lie in every row of the slab, after those of the shard before it.
      const std::uint64_t fetches = shard.list == 0 ? kInputFetches : kLayerFetches;
      const Group& group = groups_[shard.list][shard.sample / layout_.samplesPerGroup];
      programs_[group.tile].addCode(fetches * 2 * kInstructionBytes * slabRows());
      if (lightReads(shard.list)) {
        machine_.tiles[group.tile].lightProgramBytes += kFragmentBytes * layout_.lightSteps;
        machine_.tiles[1 + shard.tile].lightProgramBytes += kLightShardBytes;
      }
      programs_[1 + shard.tile].hasVertices(VertexFamily::Fetch, kShardVertexBytes);
      if (shard.list != 0)
        programs_[1 + shard.tile].hasVertices(VertexFamily::Store, 0);
    }
  }

  Shapes shapes_;
  const OptimiserSpec& optimiser_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  MachineBytes machine_;
  std::vector<TileProgram> programs_;
  std::vector<std::vector<Group>> groups_; // by list
};

} // namespace

OurLayout::ReplicaSums replicaSumsOf(std::uint32_t numReplicas, std::uint32_t numMicroBatches) {
  const SumNeeds needs = sumNeedsOf(numReplicas, numMicroBatches);
  return {numReplicas, numMicroBatches == numReplicas ? 0 : needs.mostSlots, needs.mostSums};
}

MachineBytes ourBytes(const NetworkSpec& network, const OptimiserSpec& optimiser,
                      const TilePartition& partition, const OurLayout& layout) {
  requireAtLeastOne("batch", layout.batch);
  requireAtLeastOne("block steps", layout.blockSteps);
  requireAtLeastOne("samples per group", layout.samplesPerGroup);
  return Filler(network, optimiser, partition, layout).fill();
}

} // namespace spillway::plan
