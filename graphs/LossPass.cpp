#include "graphs/LossPass.hpp"

namespace spillway {
namespace {

// Samples are dealt out to tiles as the last layer's list is.
const std::vector<SampleGroup>& groupsOf(const Geometry& geometry) {
  return geometry.lists.back().placement.groups;
}

TiledTensor bySample(poplar::Graph& graph, const Geometry& geometry, poplar::Type type,
                     std::size_t perSample, const poplar::DebugContext& debugContext) {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const SampleGroup& group : groupsOf(geometry)) {
    tiles.push_back(group.tile);
    sizes.push_back(group.numSamples * perSample);
  }
  return {graph, type, tiles, sizes, debugContext};
}

void addRateRegularisation(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                           const UnitTensors& tensors, const TiledTensor& penalties,
                           poplar::ComputeSet computeSet) {
  const RateRegularisation& rate = geometry.network.loss.rate;
  const Unit& unit = geometry.units[layer];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, "RateRegularisation",
                                  {{"spikeCounts", tensors.spikeCounts.piece(i)},
                                   {"countGradient", tensors.countGradient.piece(i)},
                                   {"penalties", penalties.piece(i)}});
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["neurons"], unit.numNeurons(i));
    graph.setInitialValue(vertex["scale"], 1.0f / static_cast<float>(geometry.sequence.numSamples));
    graph.setInitialValue(vertex["inverseSteps"],
                          1.0f / static_cast<float>(geometry.sequence.numSteps));
    graph.setInitialValue(vertex["lower"], static_cast<float>(rate.lower));
    graph.setInitialValue(vertex["lowerRate"], static_cast<float>(rate.lowerRate));
    graph.setInitialValue(vertex["upper"], static_cast<float>(rate.upper));
    graph.setInitialValue(vertex["upperRate"], static_cast<float>(rate.upperRate));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

} // namespace

LossTensors::LossTensors(poplar::Graph& graph, const Geometry& geometry,
                         const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const std::size_t outputs = geometry.network.readout.numOutputs;
  if (geometry.network.loss.kind == LossKind::CrossEntropy) {
    labels = bySample(graph, geometry, poplar::INT, 1, {name, "labels"});
  } else {
    targets = bySample(graph, geometry, poplar::FLOAT, outputs, {name, "targets"});
  }
  scale = graph.addVariable(poplar::FLOAT, {}, {name, "scale"});
  graph.setTileMapping(scale, geometry.controlTile);
  losses = bySample(graph, geometry, poplar::FLOAT, 1, {name, "losses"});
  predictions = bySample(graph, geometry, poplar::UNSIGNED_INT, 1, {name, "predictions"});
  for (std::size_t l = 0; geometry.network.loss.rate.enabled() && l < geometry.numLayers(); ++l) {
    const Unit& unit = geometry.units[l];
    penalties.emplace_back(graph, poplar::FLOAT, unit.placement.tiles,
                           unit.perTile([&](std::size_t) { return geometry.sequence.numSamples; }),
                           poplar::DebugContext{name, "penalties" + std::to_string(l)});
  }
}

void addLoss(poplar::Graph& graph, const Geometry& geometry, const std::vector<UnitTensors>& units,
             const LossTensors& loss, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const std::size_t samples = geometry.sequence.numSamples;
  const unsigned outputs = geometry.network.readout.numOutputs;
  const UnitTensors& top = units.back();
  const bool hasReadout = geometry.hasReadout();
  const poplar::Tensor logits = (hasReadout ? top.logits : top.spikeCounts).sideBySide(samples);
  const poplar::Tensor errors = (hasReadout ? top.errors : top.countGradient).sideBySide(samples);
  const bool crossEntropy = geometry.network.loss.kind == LossKind::CrossEntropy;

  poplar::ComputeSet computeSet = graph.addComputeSet({name, "loss"});
  for (std::size_t g = 0; g < groupsOf(geometry).size(); ++g) {
    const SampleGroup& group = groupsOf(geometry)[g];
    const std::size_t end = group.firstSample + group.numSamples;
    auto vertex = graph.addVertex(computeSet, crossEntropy ? "CrossEntropyLoss" : "MeanSquaredLoss",
                                  {{"logits", logits.slice(group.firstSample, end).flatten()},
                                   {"errors", errors.slice(group.firstSample, end).flatten()},
                                   {"scale", loss.scale},
                                   {"losses", loss.losses.piece(g)},
                                   {"predictions", loss.predictions.piece(g)}});
    if (crossEntropy) {
      graph.connect(vertex["labels"], loss.labels.piece(g));
    } else {
      graph.connect(vertex["targets"], loss.targets.piece(g));
    }
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["outputs"], outputs);
    graph.setTileMapping(vertex, group.tile);
  }
  prog.add(poplar::program::Execute(computeSet, {name}));

  if (geometry.network.loss.rate.enabled()) {
    poplar::ComputeSet rates = graph.addComputeSet({name, "rates"});
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      addRateRegularisation(graph, geometry, l, units[l], loss.penalties[l], rates);
    }
    prog.add(poplar::program::Execute(rates, {name}));
  }
}

} // namespace spillway
