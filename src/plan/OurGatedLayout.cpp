#include "plan/OurGatedLayout.hpp"

#include "codelets/maths/Panel.hpp"
#include "codelets/maths/Phase.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kFloatBytes = 4;

// begins, samples and values of a list by id.
struct Turned {
  std::uint64_t begins = 0, samples = 0, values = 0;
  std::uint64_t total() const { return begins + samples + values; }
};

Turned turnedOf(const LayoutInWork& work, std::size_t list) {
  const std::uint64_t ids =
      list == 0 ? work.shapes.units.front().fanIn : work.shapes.units[list - 1].size;
  const std::uint64_t entries = std::uint64_t{work.layout.batch} * work.shapes.capacities[list];
  return {kFloatBytes * (ids + 1), 2 * entries, kFloatBytes * entries};
}

// Where vertices read lists in place, products of the backward pass go by row.
bool multipliesByRow(const LayoutInWork& work, const UnitShape& unit) {
  return work.layout.history == OurLayout::History::WithGroups && unit.spikes && !unit.published;
}

std::uint64_t errorRoom(const LayoutInWork& work, const UnitShape& unit) {
  return unit.spikes ? work.layout.errorSteps : 1;
}

// `bytes` of the reset gates of one step that live in `phase`; light steps keep as many as they run
// at once.
void keepResets(const OurLayout& layout, TileProgram& program, Phase phase, std::uint64_t bytes) {
  program.lives(phase, bytes);
  program.livesWithLight(phase, (std::max(1u, layout.lightSteps) - 1) * bytes);
}

void receiveTurned(const LayoutInWork& work, std::uint32_t tile, Phase phase, std::size_t list) {
  const Turned turned = turnedOf(work, list);
  if (work.groups[list].front().tile != tile)
    for (const std::uint64_t bytes : {turned.begins, turned.samples, turned.values})
      work.programs[tile].receivesApart(phase, bytes, 1);
}

} // namespace

// What lies on the tile itself is moved to its place among the others through a buffer.
void LayoutInWork::receive(std::uint32_t tile, Phase phase, std::size_t list,
                           std::uint64_t bytes) const {
  std::uint64_t here = 0, numOthers = 0;
  for (const Group& group : groups[list])
    group.tile == tile ? here += group.numSamples : ++numOthers;
  if (numOthers != 0)
    programs[tile].receives(phase, bytes + bytes * here / layout.batch, numOthers);
}

void addGatedTensors(const LayoutInWork& work, std::size_t u, const TileShare& share) {
  const UnitShape& unit = work.shapes.units[u];
  MemoryParts& fixed = work.machine.tiles[share.tile].fixed;
  TileProgram& program = work.programs[share.tile];
  const std::uint64_t n = share.numNeurons, perFloat = kFloatBytes * work.layout.batch * n;
  fixed.temporaries += 2 * perFloat; // the states a sequence begins and ends with
  if (work.layout.history == OurLayout::History::OverAllTiles) // types: of biases; of thresholds
    program.addCode(kVertexCodeBytes + (unit.clampsThreshold ? kVertexCodeBytes + 60 : 0));
  if (!unit.spikes)
    return;
  const std::uint64_t scratch =
      work.layout.numWorkers * samplesTogether(work.layout.numWorkers, work.layout.batch);
  fixed.temporaries += kFloatBytes * scratch * 2 * unit.gates * n; // sums
  fixed.temporaries +=
      work.shapes.idBytes * (unit.dropsInputs ? scratch * work.shapes.width(u) : 1); // kept
  for (const Phase phase : {Phase::Update, Phase::Compact, Phase::Light})
    program.lives(phase, perFloat); // outputs
  const std::uint64_t room = errorRoom(work, unit);
  const std::uint64_t errors = (2 * room * unit.gates + 1) * perFloat;
  if (multipliesByRow(work, unit)) {
    fixed.temporaries += kFloatBytes * unionFloats(std::max(unit.fanIn, unit.size));
    // Products formed ahead.
    fixed.temporaries += (work.layout.keepsGates ? 0 : 2) * room * unit.gates * perFloat;
    if (work.layout.keepsGates) {
      const std::uint64_t kept = kFloatBytes * work.layout.batch * keptStride(n);
      work.machine.tiles[share.tile].spikeBytesPerStep += kept;
      work.machine.tiles[share.tile].gateBytesPerStep += kept;
      work.machine.tiles[share.tile].spilledBytesPerStep += kept;
    }
    const std::uint64_t rowValues = 2 * kFloatBytes * work.layout.batch * kUnited; // of a step
    if (work.layout.keepsErrors)
      work.machine.tiles[share.tile].lateBytesPerStep += rowValues;
    fixed.temporaries += room * rowValues;
    const std::uint64_t received = u != 0 ? kSampleLanes : 0; // where somebody wants gradients
    fixed.temporaries +=
        kFloatBytes * (received + panelLanes(work.layout.batch)) * unit.gates * n; // panels
  }
  const std::uint64_t below = multipliesByRow(work, unit) && u == 0
                                  ? 0 // nobody wants them
                                  : std::uint64_t{work.layout.batch} * work.shapes.capacities[u];
  const std::uint64_t own = multipliesByRow(work, unit)
                                ? panelLanes(work.layout.batch) * n
                                : std::uint64_t{work.layout.batch} * work.shapes.capacities[u + 1];
  const std::uint64_t partials = kFloatBytes * (below + own);
  for (const Phase phase : {Phase::Adjoint, Phase::Gradient})
    program.lives(phase, errors + partials);
  program.lives(Phase::Sum, partials);
  if (!unit.published)
    return;
  fixed.temporaries += work.layout.numWorkers * work.shapes.idBytes * work.shapes.width(u + 1);
  for (const Phase phase : {Phase::Update, Phase::Light, Phase::Adjoint, Phase::Through})
    keepResets(work.layout, program, phase, perFloat);
  program.lives(Phase::Through, errors + partials);
  const std::uint64_t candidates = kFloatBytes * work.layout.batch * unit.size;
  for (const Phase phase : {Phase::Adjoint, Phase::Through})
    program.lives(phase, perFloat + candidates); // with the state's errors
  for (const Phase phase : {Phase::Adjoint, Phase::Through, Phase::Gradient, Phase::Sum})
    program.lives(phase, unit.gates * perFloat);
}

void addGatedBackwardTraffic(const LayoutInWork& work, std::size_t u, const TileShare& share) {
  const UnitShape& unit = work.shapes.units[u];
  TileProgram& program = work.programs[share.tile];
  receiveTurned(work, share.tile, Phase::Gradient, u);
  if (!unit.spikes)
    return;
  receiveTurned(work, share.tile, Phase::Gradient, u + 1);
  const auto slab = [&](Phase phase, std::size_t list) {
    const std::uint64_t rows = work.layout.blockSteps + 1ull;
    work.receive(share.tile, phase, list,
                 work.layout.batch * rows * work.shapes.width(list) * work.shapes.idBytes);
  };
  slab(Phase::Adjoint, u);
  slab(Phase::Adjoint, u + 1);
  if (!unit.published)
    return;
  // Everybody's reset gates, and all that goes back through everybody's candidates.
  const std::uint64_t tiles = work.partition.layers[u].size();
  const std::uint64_t perStep = kFloatBytes * work.layout.batch * unit.size;
  for (const Phase phase : {Phase::Update, Phase::Light, Phase::Adjoint}) {
    keepResets(work.layout, program, phase, perStep);
    program.receivesApart(phase, 0, tiles);
    program.hasVectors(tiles);
  }
  slab(Phase::Through, u);
  slab(Phase::Through, u + 1);
  program.receivesApart(Phase::Through, perStep * tiles, tiles);
  program.hasVectors(tiles);
  receiveTurned(work, share.tile, Phase::Sum, u + 1);
}

void addTurnedLists(const LayoutInWork& work, std::size_t u) {
  const UnitShape& unit = work.shapes.units[u];
  for (std::size_t own = 0; own <= (unit.spikes ? 1u : 0u); ++own) {
    const std::size_t list = u + own;
    TileProgram& program = work.programs[work.groups[list].front().tile];
    if (work.layout.history == OurLayout::History::OverAllTiles)
      program.hasVertices(VertexFamily::Turn, 0);
    const Turned turned = turnedOf(work, list);
    std::uint64_t bytes = turned.begins + errorRoom(work, unit) * (turned.samples + turned.values);
    if (multipliesByRow(work, unit) && own == 0 && list != 0)
      bytes += turned.total(); // all active ids, with their places
    if (work.layout.keepsErrors && unit.spikes)
      work.machine.tiles[work.groups[list].front().tile].lateBytesPerStep +=
          turned.samples + turned.values;
    for (const Phase phase : {Phase::Adjoint, Phase::Gradient})
      program.lives(phase, bytes);
    // What the layer on that tile receives for itself is there already.
    if (own == 0 && u != 0 && work.layout.history == OurLayout::History::OverAllTiles)
      program.receives(Phase::Adjoint,
                       work.layout.batch * (work.layout.blockSteps + 1ull) *
                           work.shapes.width(list) * work.shapes.idBytes,
                       work.groups[list].size());
  }
  if (!unit.published)
    return;
  TileProgram& program = work.programs[work.groups[u + 1].front().tile];
  const Turned turned = turnedOf(work, u + 1);
  program.lives(Phase::Through, turned.total() + turned.values); // and the gated ones
  program.lives(Phase::Gradient, turned.values);
  program.lives(Phase::Sum, turned.total());
  if (work.layout.history == OurLayout::History::OverAllTiles)
    keepResets(work.layout, program, Phase::Through, kFloatBytes * work.layout.batch * unit.size);
}

void addCarriedEvents(const LayoutInWork& work, std::size_t list) {
  for (const Group& group : work.groups[list])
    work.machine.tiles[group.tile].fixed.temporaries +=
        group.numSamples * work.shapes.width(list) * work.shapes.idBytes;
}

} // namespace spillway::plan
