#include "graphs/LossTensors.hpp"

namespace spillway {
namespace {

TiledTensor bySample(poplar::Graph& graph, const Geometry& geometry, poplar::Type type,
                     std::size_t perSample, const poplar::DebugContext& debugContext) {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const SampleGroup& group : lossGroups(geometry)) {
    tiles.push_back(group.tile);
    sizes.push_back(group.numSamples * perSample);
  }
  return {graph, type, tiles, sizes, debugContext};
}

std::size_t valuesPerLabel(const Geometry& geometry) {
  return geometry.network.loss.kind == LossKind::CrossEntropy ? 1
                                                              : geometry.network.readout.numOutputs;
}

std::size_t labelSteps(const Geometry& geometry) {
  return geometry.labelsEveryStep() ? geometry.sequence.numSteps : 1;
}

} // namespace

const std::vector<SampleGroup>& lossGroups(const Geometry& geometry) {
  return geometry.lists.back().placement.groups;
}

LossTensors::LossTensors(poplar::Graph& graph, const Geometry& geometry,
                         const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const bool classes = geometry.network.loss.kind == LossKind::CrossEntropy;
  labels = bySample(graph, geometry, classes ? poplar::INT : poplar::FLOAT,
                    labelSteps(geometry) * valuesPerLabel(geometry), {name, "labels"});
  scale = graph.addVariable(poplar::FLOAT, {}, {name, "scale"});
  graph.setTileMapping(scale, geometry.controlTile);
  losses = bySample(graph, geometry, poplar::FLOAT, 1, {name, "losses"});
  correct = bySample(graph, geometry, poplar::UNSIGNED_INT, 1, {name, "correct"});
  if (geometry.losesAtEveryStep()) {
    stepErrors =
        bySample(graph, geometry, poplar::FLOAT,
                 std::size_t{geometry.sequence.blockSteps} * geometry.network.readout.numOutputs,
                 {name, "stepErrors"});
  }
  for (std::size_t l = 0; geometry.network.loss.rate.enabled() && l < geometry.numLayers(); ++l) {
    const Unit& unit = geometry.units[l];
    penalties.emplace_back(graph, poplar::FLOAT, unit.placement.tiles,
                           unit.perTile([&](std::size_t) { return geometry.sequence.numSamples; }),
                           poplar::DebugContext{name, "penalties" + std::to_string(l)});
  }
}

poplar::Tensor LossTensors::labelsOfHost(const Geometry& geometry) const {
  std::vector<poplar::Tensor> pieces;
  for (std::size_t g = 0; g < labels.numPieces(); ++g) {
    pieces.push_back(labels.piece(g).reshape(
        {labelSteps(geometry), lossGroups(geometry)[g].numSamples, valuesPerLabel(geometry)}));
  }
  return poplar::concat(pieces, 1);
}

} // namespace spillway
