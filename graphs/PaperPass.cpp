#include "graphs/PaperPass.hpp"

#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {
namespace {

std::vector<poplar::Tensor> pieces(const TiledTensor& tensor) {
  std::vector<poplar::Tensor> all;
  for (std::size_t i = 0; i < tensor.numPieces(); ++i) {
    all.push_back(tensor.piece(i));
  }
  return all;
}

// control, phase, weights, recurrent and the fields all of these vertices have.
void connectPaper(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                  std::size_t layer, std::size_t tile, const UnitTensors& tensors,
                  const Sequencer& sequencer, const poplar::Tensor& phase, std::uint32_t rows) {
  const Unit& unit = geometry.units[layer];
  graph.connect(vertex["control"], sequencer.control[layer]);
  graph.connect(vertex["phase"], phase);
  graph.connect(vertex["weights"], inputWeights(unit, tile, tensors));
  graph.connect(vertex["recurrent"], recurrentWeights(unit, tile, tensors));
  graph.setInitialValue(vertex["neurons"], unit.numNeurons(tile));
  graph.setInitialValue(vertex["layerSize"], unit.size);
  graph.setInitialValue(vertex["fanIn"], unit.fanIn);
  graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
  graph.setInitialValue(vertex["rows"], rows);
  graph.setInitialValue(vertex["width"], geometry.lists[layer].width());
  graph.setInitialValue(vertex["capacity"], geometry.lists[layer].capacity);
  graph.setInitialValue(vertex["ownWidth"], geometry.lists[layer + 1].width());
  graph.setInitialValue(vertex["room"], geometry.resetSteps());
  graph.setInitialValue(vertex["dropoutStream"], dropoutStream(layer));
  graph.setInitialValue(vertex["dropout"], static_cast<float>(unit.layer.gated.dropout));
  graph.setTileMapping(vertex, unit.placement.tiles[tile]);
}

} // namespace

void addResetGates(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   const poplar::Tensor& phase, ResetUse use, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const bool isBackward = use == ResetUse::Backward;
  const ForwardUse forward = use == ResetUse::Light ? ForwardUse::Light : ForwardUse::First;
  const poplar::Tensor received = isBackward ? lists.slab(layer) : slabOf(lists, layer, forward);
  const poplar::Tensor own =
      isBackward ? lists.ownSlab(layer + 1) : slabOf(lists, layer + 1, forward);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("ResetGates", geometry.idType),
                                  {{"lists", received},
                                   {"ownLists", own},
                                   {"bias", tensors.bias.piece(i)},
                                   {"resets", tensors.gated.resets.piece(i)},
                                   {"kept", tensors.gated.kept.piece(i)}});
    connectPaper(graph, vertex, geometry, layer, i, tensors, sequencer, phase,
                 isBackward ? geometry.slabRows() : slabRows(geometry, forward));
    graph.setInitialValue(vertex["isBackward"], isBackward);
  }
}

void addPaperForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                     const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                     const poplar::Tensor& phase, ForwardUse use, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const GatedTensors& gated = tensors.gated;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("PaperForward", geometry.idType),
                                  {{"lists", slabOf(lists, layer, use)},
                                   {"ownLists", slabOf(lists, layer + 1, use)},
                                   {"bias", tensors.bias.piece(i)},
                                   {"threshold", gated.threshold.piece(i)},
                                   {"initial", gated.initial.piece(i)},
                                   {"slots", tensors.slots.piece(i)},
                                   {"last", gated.last.piece(i)},
                                   {"outputs", gated.outputs.piece(i)},
                                   {"masks", tensors.masks.piece(i)},
                                   {"kept", gated.kept.piece(i)},
                                   {"gatedLists", gated.gatedLists.piece(i)}});
    graph.connect(vertex["gates"], pieces(gated.resets));
    connectPaper(graph, vertex, geometry, layer, i, tensors, sequencer, phase,
                 slabRows(geometry, use));
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["numSteps"], geometry.sequence.numSteps);
    graph.setInitialValue(vertex["pseudoWidth"], static_cast<float>(unit.layer.gated.pseudoWidth));
  }
}

void addPaperBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const Lists& lists,
                      const poplar::Tensor& gradients, const poplar::Tensor* outside,
                      const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet adjoint, poplar::ComputeSet through) {
  const Unit& unit = geometry.units[layer];
  const GatedSpec& spec = unit.layer.gated;
  const GatedTensors& gated = tensors.gated;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto first = graph.addVertex(adjoint, vertexName("PaperAdjoint", geometry.idType),
                                 {{"lists", lists.slab(layer)},
                                  {"ownLists", lists.ownSlab(layer + 1)},
                                  {"gradients", gradients},
                                  {"outside", outside != nullptr ? *outside : gradients},
                                  {"bias", tensors.bias.piece(i)},
                                  {"threshold", gated.threshold.piece(i)},
                                  {"slots", tensors.slots.piece(i)},
                                  {"adjoint", tensors.adjoint.piece(i)},
                                  {"stateErrors", gated.stateErrors.piece(i)},
                                  {"inputErrors", gated.inputErrors.piece(i)},
                                  {"candidateErrors", gated.candidateErrors.piece(i)},
                                  {"thresholdErrors", gated.thresholdErrors.piece(i)},
                                  {"candidatePartials", gated.candidatePartials.piece(i)},
                                  {"kept", gated.kept.piece(i)},
                                  {"gatedLists", gated.gatedLists.piece(i)}});
    graph.connect(first["gates"], pieces(gated.resets));
    connectPaper(graph, first, geometry, layer, i, tensors, sequencer, phase, geometry.slabRows());
    graph.setInitialValue(first["firstNeuron"], unit.firstNeuron(i));
    graph.setInitialValue(first["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(first["dampening"], static_cast<float>(spec.dampening));
    graph.setInitialValue(first["inverseWidth"], static_cast<float>(1.0 / spec.pseudoWidth));
    graph.setInitialValue(first["eventCost"], static_cast<float>(geometry.eventCost(layer)));
    graph.setInitialValue(first["outsideSteps"],
                          outside != nullptr ? geometry.sequence.numSteps : 0u);

    auto second = graph.addVertex(through, vertexName("PaperReset", geometry.idType),
                                  {{"lists", lists.slab(layer)},
                                   {"ownLists", lists.ownSlab(layer + 1)},
                                   {"resets", gated.resets.piece(i)},
                                   {"stateErrors", gated.stateErrors.piece(i)},
                                   {"inputErrors", gated.inputErrors.piece(i)},
                                   {"recurrentErrors", gated.recurrentErrors.piece(i)},
                                   {"partials", tensors.partials.piece(i)},
                                   {"ownPartials", tensors.ownPartials.piece(i)}});
    graph.connect(second["candidatePartials"], pieces(gated.candidatePartials));
    connectPaper(graph, second, geometry, layer, i, tensors, sequencer, phase, geometry.slabRows());
    graph.setInitialValue(second["firstNeuron"], unit.firstNeuron(i));
    graph.setInitialValue(second["propagate"], layer != 0 || geometry.network.readsWords());
  }
}

void addCandidateGradients(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                           const UnitTensors& tensors, const TurnedEvents& own,
                           const Sequencer& sequencer, poplar::ComputeSet through,
                           poplar::ComputeSet after) {
  const Unit& unit = geometry.units[layer];
  const unsigned listTile = geometry.lists[layer + 1].placement.groups.front().tile;
  poplar::Tensor values =
      graph.addVariable(poplar::FLOAT, {own.entryValues.numElements()}, {"gatedValues"});
  graph.setTileMapping(values, listTile);
  auto gate = graph.addVertex(through, "GateTurnedLists",
                              {{"control", sequencer.control[layer]},
                               {"begins", own.begins},
                               {"entrySamples", own.entrySamples},
                               {"entryValues", own.entryValues},
                               {"gatedValues", values}});
  graph.connect(gate["gates"], pieces(tensors.gated.resets));
  graph.setInitialValue(gate["room"], geometry.resetSteps());
  graph.setInitialValue(gate["neuronsPerTile"], unit.placement.neuronsPerTile);
  graph.setTileMapping(gate, listTile);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    const std::size_t columns = std::size_t{unit.gates} * unit.numNeurons(i);
    auto vertex = graph.addVertex(
        after, "EventGradient",
        {{"control", sequencer.control[layer]},
         {"begins", own.begins},
         {"entrySamples", own.entrySamples},
         {"entryValues", values},
         {"errors", tensors.gated.candidateErrors.piece(i)},
         {"gradient", tensors.gradient.piece(i).slice(unit.fanIn * columns,
                                                      (unit.fanIn + unit.size) * columns)}});
    graph.setInitialValue(vertex["columns"], static_cast<unsigned>(columns));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

} // namespace spillway
