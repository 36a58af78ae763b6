#include "graphs/ForwardPass.hpp"

#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {

const poplar::Tensor& slabOf(const Lists& lists, std::size_t list, ForwardUse use) {
  return use == ForwardUse::Light ? lists.lightSlab(list) : lists.slab(list);
}

std::uint32_t slabRows(const Geometry& geometry, ForwardUse use) {
  return use == ForwardUse::Light ? geometry.lightRows() : geometry.slabRows();
}

bool countsSpikes(const Geometry& geometry, std::size_t layer) {
  const bool isLogit =
      geometry.network.readout.kind == ReadoutKind::SpikeCount && layer == geometry.topLayer();
  return isLogit || geometry.network.loss.rate.enabled();
}

void addSpikingForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                       const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                       ForwardUse use, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const std::uint32_t rows = slabRows(geometry, use);
  const LayerSpec& spec = unit.layer;
  const std::size_t ownList = unit.recurrent ? layer + 1 : layer;
  const std::string type = vertexName("SpikingForward", geometry.idType, spec.neuron, spec.reset);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, type,
                                  {{"control", sequencer.control[layer]},
                                   {"lists", slabOf(lists, layer, use)},
                                   {"ownLists", slabOf(lists, ownList, use)},
                                   {"weights", tensors.weights.piece(i)},
                                   {"bias", tensors.bias.piece(i)},
                                   {"slots", tensors.slots.piece(i)},
                                   {"masks", tensors.masks.piece(i)},
                                   {"spikeCounts", tensors.spikeCounts.piece(i)},
                                   {"distances", tensors.distances.piece(i)}});
    setUnitFields(graph, vertex, geometry, layer, i, rows);
    setRecurrenceFields(graph, vertex, geometry, layer, rows);
    setNeuronFields(graph, vertex, spec);
    graph.setInitialValue(vertex["counting"], countsSpikes(geometry, layer));
    graph.setInitialValue(vertex["spikesOnly"], spec.allLearn());
    graph.setInitialValue(vertex["caching"], geometry.sequence.cachesSurrogate);
    graph.setInitialValue(vertex["gradientMargin"],
                          static_cast<float>(spec.gradientTheta - spec.theta));
  }
}

void addReadoutForward(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& tensors,
                       const Lists& lists, const Sequencer& sequencer, ForwardUse use,
                       poplar::ComputeSet computeSet) {
  const std::uint32_t rows = slabRows(geometry, use);
  const std::size_t index = geometry.numLayers();
  const Unit& unit = geometry.units[index];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("ReadoutForward", geometry.idType),
                                  {{"control", sequencer.control[index]},
                                   {"lists", slabOf(lists, index, use)},
                                   {"weights", tensors.weights.piece(i)},
                                   {"bias", tensors.bias.piece(i)},
                                   {"slots", tensors.slots.piece(i)},
                                   {"logits", tensors.logits.piece(i)},
                                   {"bestStep", tensors.bestStep.piece(i)},
                                   {"potentials", tensors.potentials.piece(i)}});
    setUnitFields(graph, vertex, geometry, index, i, rows);
    setReadoutFields(graph, vertex, geometry);
  }
}

void addCompaction(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   const TiledTensor& counters, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const ListShape& list = geometry.lists[layer + 1];
  for (std::size_t g = 0; g < list.placement.groups.size(); ++g) {
    const SampleGroup& group = list.placement.groups[g];
    std::vector<poplar::Tensor> masks;
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      const std::size_t perSample =
          std::size_t{geometry.sequence.blockSteps} * 2 * ((unit.numNeurons(i) + 7) / 8);
      masks.push_back(tensors.masks.piece(i).slice(
          group.firstSample * perSample, (group.firstSample + group.numSamples) * perSample));
    }
    auto vertex = graph.addVertex(computeSet, vertexName("CompactSpikes", geometry.idType),
                                  {{"control", sequencer.control[layer]},
                                   {"lists", lists.slabOf(layer + 1, g)},
                                   {"counters", counters.piece(g)}});
    graph.connect(vertex["masks"], masks);
    graph.setInitialValue(vertex["spikesOnly"], list.denseGradient);
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], list.width());
    graph.setTileMapping(vertex, group.tile);
  }
}

} // namespace spillway
