#include "graphs/UnitTensors.hpp"

#include "codelets/maths/Panel.hpp"
#include "codelets/maths/RowIndex.hpp"

namespace spillway {

UnitTensors::UnitTensors(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                         const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const Unit& unit = geometry.units[index];
  const SequenceShape& sequence = geometry.sequence;
  const std::size_t samples = sequence.numSamples;
  const std::size_t block = samples * sequence.blockSteps;
  const auto tiled = [&](const char* what, poplar::Type type, const auto& sizeOf) {
    return TiledTensor(graph, type, unit.placement.tiles, unit.perTile(sizeOf), {name, what});
  };
  const std::size_t rows = unit.numRows();
  weights = tiled("weights", poplar::FLOAT, [&](std::size_t n) { return rows * n; });
  bias = tiled("bias", poplar::FLOAT, [&](std::size_t n) { return n; });
  graph.setInitialValue(bias.flat(), poplar::ArrayRef<float>(std::vector<float>(unit.size, 0.0f)));
  gradient = tiled("gradient", poplar::FLOAT, [&](std::size_t n) { return rows * n; });
  biasGradient = tiled("biasGradient", poplar::FLOAT, [&](std::size_t n) { return n; });
  slots = tiled("slots", poplar::FLOAT,
                [&](std::size_t n) { return sequence.numSlots * samples * unit.stateFloats * n; });
  adjoint = tiled("adjoint", poplar::FLOAT,
                  [&](std::size_t n) { return samples * unit.stateFloats * n; });
  scaled = tiled("scaled", poplar::FLOAT, [&](std::size_t n) { return block * n; });
  partials = tiled("partials", poplar::FLOAT,
                   [&](std::size_t) { return block * geometry.lists[index].numGradients(); });
  rowIndex = tiled("rowIndex", poplar::UNSIGNED_INT, [&](std::size_t) -> std::size_t {
    return geometry.sumsGradientsByRow(graph)
               ? rowIndexWords(unit.fanIn, block * geometry.lists[index].capacity)
               : 1;
  });
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  const auto panelsFor = [&](const ListShape& list, const char* what) {
    return tiled(what, poplar::FLOAT, [&](std::size_t n) {
      return list.denseGradient ? workers * n * kMostPanelWidth : 1;
    });
  };
  panels = panelsFor(geometry.lists[index], "panels");
  if (unit.isReadout) {
    logits = tiled("logits", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
    errors = tiled("errors", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
    potentials = tiled("potentials", poplar::FLOAT,
                       [&](std::size_t n) { return geometry.losesAtEveryStep() ? block * n : 1; });
    bestStep = tiled("bestStep", poplar::UNSIGNED_INT, [&](std::size_t n) { return samples * n; });
    return;
  }
  const ListShape& own = geometry.lists[index + 1];
  const std::size_t ownEntries = unit.recurrent ? block * own.numGradients() : 1;
  carried = tiled("carried", poplar::FLOAT,
                  [&](std::size_t n) { return own.denseGradient ? samples * n : 1; });
  ownPanels = panelsFor(own, "ownPanels");
  ownPartials = tiled("ownPartials", poplar::FLOAT, [&](std::size_t) { return ownEntries; });
  masks = tiled("masks", poplar::UNSIGNED_CHAR,
                [&](std::size_t n) { return block * 2 * ((n + 7) / 8); });
  spikeCounts = tiled("spikeCounts", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
  countGradient = tiled("countGradient", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
}

} // namespace spillway
