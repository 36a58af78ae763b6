#include "graphs/LossPass.hpp"

#include "graphs/VertexName.hpp"

namespace spillway {
namespace {

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
    graph.setInitialValue(vertex["scale"],
                          1.0f / static_cast<float>(geometry.sequence.updateSamples));
    graph.setInitialValue(vertex["inverseSteps"],
                          1.0f / static_cast<float>(geometry.sequence.numSteps));
    graph.setInitialValue(vertex["lower"], static_cast<float>(rate.lower));
    graph.setInitialValue(vertex["lowerRate"], static_cast<float>(rate.lowerRate));
    graph.setInitialValue(vertex["upper"], static_cast<float>(rate.upper));
    graph.setInitialValue(vertex["upperRate"], static_cast<float>(rate.upperRate));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addSequenceLoss(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& top,
                     const LossTensors& loss, poplar::ComputeSet computeSet) {
  const std::size_t samples = geometry.sequence.numSamples;
  const bool hasReadout = geometry.hasReadout();
  const poplar::Tensor logits = (hasReadout ? top.logits : top.spikeCounts).sideBySide(samples);
  const poplar::Tensor errors = (hasReadout ? top.errors : top.countGradient).sideBySide(samples);
  const bool classes = geometry.network.loss.kind == LossKind::CrossEntropy;
  for (std::size_t g = 0; g < lossGroups(geometry).size(); ++g) {
    const SampleGroup& group = lossGroups(geometry)[g];
    const std::size_t end = group.firstSample + group.numSamples;
    auto vertex = graph.addVertex(computeSet, classes ? "CrossEntropyLoss" : "MeanSquaredLoss",
                                  {{"logits", logits.slice(group.firstSample, end).flatten()},
                                   {"errors", errors.slice(group.firstSample, end).flatten()},
                                   {"scale", loss.scale},
                                   {"losses", loss.losses.piece(g)},
                                   {"correct", loss.correct.piece(g)}});
    graph.connect(vertex[classes ? "labels" : "targets"], loss.labels.piece(g));
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["outputs"], geometry.network.readout.numOutputs);
    graph.setTileMapping(vertex, group.tile);
  }
}

} // namespace

void addLoss(poplar::Graph& graph, const Geometry& geometry, const std::vector<UnitTensors>& units,
             const LossTensors& loss, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  if (!geometry.losesAtEveryStep()) {
    poplar::ComputeSet computeSet = graph.addComputeSet({name, "loss"});
    addSequenceLoss(graph, geometry, units.back(), loss, computeSet);
    prog.add(poplar::program::Execute(computeSet, {name}));
  }
  if (geometry.network.loss.rate.enabled()) {
    poplar::ComputeSet rates = graph.addComputeSet({name, "rates"});
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      addRateRegularisation(graph, geometry, l, units[l], loss.penalties[l], rates);
    }
    prog.add(poplar::program::Execute(rates, {name}));
  }
}

void addStepLoss(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& readout,
                 const LossTensors& loss, const Sequencer& sequencer, StepLossUse use,
                 poplar::ComputeSet computeSet) {
  const std::size_t block = geometry.sequence.blockSteps;
  const poplar::Tensor potentials =
      readout.potentials.sideBySide(geometry.sequence.numSamples * block);
  const std::string type = vertexName("StepLoss", loss.labels.flat().elementType());
  for (std::size_t g = 0; g < lossGroups(geometry).size(); ++g) {
    const SampleGroup& group = lossGroups(geometry)[g];
    const std::size_t begin = group.firstSample * block;
    auto vertex = graph.addVertex(
        computeSet, type,
        {{"control", sequencer.control[geometry.numLayers()]},
         {"potentials", potentials.slice(begin, begin + group.numSamples * block).flatten()},
         {"labels", loss.labels.piece(g)},
         {"scale", loss.scale},
         {"errors", loss.stepErrors.piece(g)},
         {"losses", loss.losses.piece(g)},
         {"correct", loss.correct.piece(g)}});
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["outputs"], geometry.network.readout.numOutputs);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setInitialValue(vertex["accumulate"], use == StepLossUse::Accumulate);
    graph.setTileMapping(vertex, group.tile);
  }
}

void addReadoutPotentials(poplar::Graph& graph, const Geometry& geometry,
                          const UnitTensors& readout, const Sequencer& sequencer,
                          poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[geometry.numLayers()];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, "ReadoutPotentials",
                                  {{"control", sequencer.next[geometry.numLayers()]},
                                   {"slots", readout.slots.piece(i)},
                                   {"potentials", readout.potentials.piece(i)}});
    graph.setInitialValue(vertex["neurons"], unit.numNeurons(i));
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

} // namespace spillway
