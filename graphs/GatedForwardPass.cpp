#include "codelets/maths/Phase.hpp"
#include "graphs/GatedPass.hpp"
#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

#include <algorithm>

namespace spillway {

void addGatedForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                     const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                     const poplar::Tensor& phase, ForwardUse use, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const GatedTensors& gated = tensors.gated;
  const std::string type = vertexName("GatedForward", geometry.idType, unit.layer.kind);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, type,
                                  {{"control", sequencer.control[layer]},
                                   {"phase", phase},
                                   {"lists", slabOf(lists, layer, use)},
                                   {"ownLists", slabOf(lists, layer + 1, use)},
                                   {"initial", gated.initial.piece(i)},
                                   {"slots", tensors.slots.piece(i)},
                                   {"last", gated.last.piece(i)},
                                   {"outputs", gated.outputs.piece(i)},
                                   {"masks", tensors.masks.piece(i)}});
    connectGatedParameters(graph, vertex, unit, i, tensors);
    setGatedFields(graph, vertex, geometry, layer, i, slabRows(geometry, use));
    const bool ahead = use == ForwardUse::First && geometry.formsInputsAhead(graph, layer);
    const bool keeps = use == ForwardUse::First && geometry.sequence.keepsGates;
    graph.connect(vertex["products"],
                  ahead && !keeps ? gated.products[0].piece(i) : tensors.bias.piece(i));
    graph.setInitialValue(vertex["ahead"], ahead);
    graph.connect(vertex["gates"], keeps ? gated.gates.piece(i) : gated.sums.piece(i).slice(0, 0));
    graph.setInitialValue(vertex["keepsGates"], keeps);
    graph.setInitialValue(vertex["numSteps"], geometry.sequence.numSteps);
    graph.setInitialValue(vertex["pseudoWidth"], static_cast<float>(unit.layer.gated.pseudoWidth));
  }
}

void connectHistory(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    const Lists& lists, std::size_t list, std::optional<std::size_t> only) {
  const bool appended = geometry.appendsLists(graph, list);
  std::vector<poplar::Tensor> history, begins;
  for (std::size_t h = 0; h < lists.history(list).numPieces(); ++h) {
    if (h != only.value_or(h)) {
      continue;
    }
    history.push_back(lists.history(list).piece(h));
    if (appended) {
      begins.push_back(lists.begins(list).piece(h));
    }
  }
  graph.connect(vertex["history"], history);
  graph.connect(vertex["begins"], begins);
  graph.setInitialValue(vertex["appended"], appended);
  const ListShape& shape = geometry.lists[list];
  graph.setInitialValue(vertex["samplesPerShard"], shape.placement.shards.front().numSamples);
  graph.setInitialValue(vertex["width"], shape.width());
  graph.setInitialValue(vertex["capacity"], shape.capacity);
}

void addAheadProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      ListUse use, Direction direction, const UnitTensors& tensors,
                      const Lists& lists, const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const GatedTensors& gated = tensors.gated;
  const bool own = use == ListUse::Own;
  const bool keeps = geometry.sequence.keepsGates; // where the gates will be
  const std::size_t list = layer + (own ? 1 : 0);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    const std::uint32_t ids = own ? unit.size : unit.fanIn;
    const poplar::Tensor sums = gated.sums.piece(i);
    auto vertex = graph.addVertex(
        computeSet, vertexName("AheadProduct", geometry.idType),
        {{"control", sequencer.control[layer]},
         {"phase", phase},
         {"weights", own ? recurrentWeights(unit, i, tensors) : inputWeights(unit, i, tensors)},
         {"start", (own ? gated.recurrentBias : tensors.bias).piece(i)},
         {"products", (keeps ? gated.gates : gated.products[own ? 1 : 0]).piece(i)},
         {"united", sums.slice(sums.numElements() - unionFloats(std::max(unit.fanIn, unit.size)),
                               sums.numElements())},
         {"kept", gated.kept.piece(i)}});
    connectHistory(graph, vertex, geometry, lists, list);
    graph.setInitialValue(vertex["numIds"], ids);
    const std::uint32_t columns = unit.gates * unit.numNeurons(i);
    graph.setInitialValue(vertex["columns"], columns);
    graph.setInitialValue(vertex["productStride"],
                          keeps ? static_cast<unsigned>(keptStride(unit.numNeurons(i))) : columns);
    graph.setInitialValue(vertex["intoHistory"], keeps);
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["firstIndex"], firstHistoryIndex(layer, list));
    graph.setInitialValue(vertex["backwards"], direction == Direction::Backward);
    graph.setInitialValue(vertex["dropoutStream"], dropoutStream(layer));
    graph.setInitialValue(vertex["dropout"],
                          own ? 0.0f : static_cast<float>(unit.layer.gated.dropout));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addEventReadoutForward(poplar::Graph& graph, const Geometry& geometry,
                            const UnitTensors& tensors, const Lists& lists,
                            const Sequencer& sequencer, ForwardUse use,
                            poplar::ComputeSet computeSet) {
  const std::size_t index = geometry.numLayers();
  const Unit& unit = geometry.units[index];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("EventReadoutForward", geometry.idType),
                                  {{"control", sequencer.control[index]},
                                   {"lists", slabOf(lists, index, use)},
                                   {"weights", tensors.weights.piece(i)},
                                   {"bias", tensors.bias.piece(i)},
                                   {"initial", tensors.gated.initial.piece(i)},
                                   {"slots", tensors.slots.piece(i)},
                                   {"last", tensors.gated.last.piece(i)},
                                   {"logits", tensors.logits.piece(i)},
                                   {"bestStep", tensors.bestStep.piece(i)},
                                   {"potentials", tensors.potentials.piece(i)}});
    graph.setInitialValue(vertex["neurons"], unit.numNeurons(i));
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["rows"], slabRows(geometry, use));
    graph.setInitialValue(vertex["width"], geometry.lists[index].width());
    graph.setInitialValue(vertex["capacity"], geometry.lists[index].capacity);
    setReadoutFields(graph, vertex, geometry);
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addEventCompaction(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                        const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                        const TiledTensor& counters, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const ListShape& list = geometry.lists[layer + 1];
  for (std::size_t g = 0; g < list.placement.groups.size(); ++g) {
    const SampleGroup& group = list.placement.groups[g];
    const auto ofGroup = [&](const poplar::Tensor& piece, std::size_t perSample) {
      return piece.slice(group.firstSample * perSample,
                         (group.firstSample + group.numSamples) * perSample);
    };
    std::vector<poplar::Tensor> masks, outputs;
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      masks.push_back(
          ofGroup(tensors.masks.piece(i), 2 * ((std::size_t{unit.numNeurons(i)} + 7) / 8)));
      outputs.push_back(ofGroup(tensors.gated.outputs.piece(i), unit.numNeurons(i)));
    }
    auto vertex = graph.addVertex(computeSet, vertexName("CompactEvents", geometry.idType),
                                  {{"control", sequencer.control[layer]},
                                   {"lists", lists.slabOf(layer + 1, g)},
                                   {"counters", counters.piece(g)}});
    graph.connect(vertex["masks"], masks);
    graph.connect(vertex["outputs"], outputs);
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["width"], list.width());
    graph.setTileMapping(vertex, group.tile);
  }
}

} // namespace spillway
