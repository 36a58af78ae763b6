#include "codelets/maths/Phase.hpp"
#include "graphs/GatedPass.hpp"
#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {

void addGatedBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const Lists& lists,
                      const poplar::Tensor& gradients, const poplar::Tensor* outside,
                      const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const GatedTensors& gated = tensors.gated;
  const std::string type = vertexName("GatedBackward", geometry.idType, unit.layer.kind);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, type,
                                  {{"control", sequencer.control[layer]},
                                   {"phase", phase},
                                   {"lists", lists.slab(layer)},
                                   {"ownLists", lists.ownSlab(layer + 1)},
                                   {"gradients", gradients},
                                   {"outside", outside != nullptr ? *outside : gradients},
                                   {"slots", tensors.slots.piece(i)},
                                   {"adjoint", tensors.adjoint.piece(i)},
                                   {"recurrentErrors", gated.recurrentErrors.piece(i)},
                                   {"thresholdErrors", gated.thresholdErrors.piece(i)},
                                   {"partials", tensors.partials.piece(i)}});
    connectGatedParameters(graph, vertex, unit, i, tensors);
    setGatedFields(graph, vertex, geometry, layer, i, geometry.slabRows());
    graph.setInitialValue(vertex["propagate"], layer != 0 || geometry.network.readsWords());
    const bool alone = !geometry.multipliesByRow(graph, layer);
    const bool keeps = geometry.sequence.keepsGates;
    const poplar::Tensor none = tensors.bias.piece(i), nothing = gated.sums.piece(i).slice(0, 0);
    graph.connect(vertex["products"], alone || keeps ? none : gated.products[0].piece(i));
    graph.connect(vertex["ownProducts"], alone || keeps ? none : gated.products[1].piece(i));
    graph.connect(vertex["gates"], keeps ? gated.gates.piece(i) : nothing);
    graph.connect(vertex["inputErrors"],
                  geometry.sequence.keepsErrors ? nothing : gated.inputErrors.piece(i));
    graph.setInitialValue(vertex["keepsErrors"], geometry.sequence.keepsErrors);
    graph.connect(vertex["ownPartials"],
                  (alone ? tensors.ownPartials : gated.errorPanels).piece(i));
    graph.connect(vertex["recurrence"], alone ? none : tensors.ownPartials.piece(i));
    graph.setInitialValue(vertex["keepsGates"], keeps);
    graph.setInitialValue(vertex["alone"], alone);
    graph.setInitialValue(vertex["room"], geometry.errorRoom(layer));
    graph.setInitialValue(vertex["outsideSteps"],
                          outside != nullptr ? geometry.sequence.numSteps : 0u);
    graph.setInitialValue(vertex["dampening"], static_cast<float>(unit.layer.gated.dampening));
    graph.setInitialValue(vertex["eventCost"], static_cast<float>(geometry.eventCost(layer)));
    graph.setInitialValue(vertex["inverseWidth"],
                          static_cast<float>(1.0 / unit.layer.gated.pseudoWidth));
  }
}

void addEventReadoutProduct(poplar::Graph& graph, const Geometry& geometry,
                            const UnitTensors& tensors, const Lists& lists,
                            const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  const std::size_t index = geometry.numLayers();
  const Unit& unit = geometry.units[index];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("EventProduct", geometry.idType),
                                  {{"control", sequencer.control[index]},
                                   {"lists", lists.slab(index)},
                                   {"weights", tensors.weights.piece(i)},
                                   {"errors", tensors.scaled.piece(i)},
                                   {"partials", tensors.partials.piece(i)}});
    graph.setInitialValue(vertex["columns"], unit.numNeurons(i));
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], geometry.lists[index].width());
    graph.setInitialValue(vertex["capacity"], geometry.lists[index].capacity);
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addSumEventPartials(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                         const std::vector<UnitTensors>& tensors, const Lists& lists,
                         const TiledTensor& gradients, const Sequencer& sequencer,
                         poplar::ComputeSet computeSet) {
  const std::size_t list = layer + 1;
  const ListShape& shape = geometry.lists[list];
  for (std::size_t g = 0; g < shape.placement.groups.size(); ++g) {
    const SampleGroup& group = shape.placement.groups[g];
    const auto partialsOf = [&](const TiledTensor& partials) {
      std::vector<poplar::Tensor> slices;
      for (std::size_t i = 0; i < partials.numPieces(); ++i) {
        slices.push_back(partials.piece(i).slice(
            std::size_t{group.firstSample} * shape.capacity,
            (std::size_t{group.firstSample} + group.numSamples) * shape.capacity));
      }
      return slices;
    };
    const bool topmost = list >= geometry.units.size(); // what comes from above is no partial
    auto vertex = graph.addVertex(computeSet, vertexName("SumEventPartials", geometry.idType),
                                  {{"controlAbove", sequencer.control[topmost ? layer : list]},
                                   {"controlOwn", sequencer.control[layer]},
                                   {"lists", lists.slabOf(list, g)},
                                   {"ownLists", lists.ownSlabOf(list, g)},
                                   {"gradients", gradients.piece(g)}});
    graph.connect(vertex["above"],
                  topmost ? std::vector<poplar::Tensor>{} : partialsOf(tensors[list].partials));
    graph.connect(vertex["own"], geometry.multipliesByRow(graph, layer)
                                     ? std::vector<poplar::Tensor>{}
                                     : partialsOf(tensors[layer].ownPartials));
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], shape.width());
    graph.setInitialValue(vertex["capacity"], shape.capacity);
    graph.setTileMapping(vertex, group.tile);
  }
}

namespace {

// On the tile that turns a list round.
poplar::Tensor turnedVariable(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
                              poplar::Type type, std::size_t size,
                              const poplar::DebugContext& debugContext) {
  poplar::Tensor tensor = graph.addVariable(type, {size}, debugContext);
  graph.setTileMapping(tensor, geometry.lists[list].placement.groups.front().tile);
  return tensor;
}

std::size_t idsOf(const Geometry& geometry, std::size_t list) {
  return list == 0 ? geometry.network.numInputs : geometry.units[list - 1].size;
}

std::size_t entriesOf(const Geometry& geometry, std::size_t list) {
  return std::size_t{geometry.sequence.numSamples} * geometry.lists[list].capacity;
}

} // namespace

TurnedEvents::TurnedEvents(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
                           std::uint32_t steps, const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const auto variable = [&](poplar::Type type, std::size_t size, const char* what) {
    return turnedVariable(graph, geometry, list, type, size, {name, what});
  };
  const std::size_t entries = steps * entriesOf(geometry, list);
  begins = variable(poplar::UNSIGNED_INT, idsOf(geometry, list) + 1, "begins");
  entrySamples = variable(poplar::UNSIGNED_SHORT, entries, "samples");
  entryValues = variable(poplar::FLOAT, entries, "values");
}

TurnedActive::TurnedActive(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
                           const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const auto variable = [&](poplar::Type type, std::size_t size, const char* what) {
    return turnedVariable(graph, geometry, list, type, size, {name, what});
  };
  begins = variable(poplar::UNSIGNED_INT, idsOf(geometry, list) + 1, "activeBegins");
  samples = variable(poplar::UNSIGNED_SHORT, entriesOf(geometry, list), "activeSamples");
  places = variable(poplar::UNSIGNED_INT, entriesOf(geometry, list), "activePlaces");
}

UnitTurnedLists::UnitTurnedLists(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                                 const poplar::DebugContext& debugContext) {
  const std::size_t last = geometry.units[unit].isReadout ? unit : unit + 1;
  for (std::size_t list = unit; !geometry.formsGradientsLate(unit) && list <= last; ++list) {
    lists.emplace_back(graph, geometry, list, geometry.errorRoom(unit), debugContext);
  }
  if (geometry.sendsDownByRow(graph, unit)) {
    active = {graph, geometry, unit, debugContext};
  }
}

void addTurnEvents(poplar::Graph& graph, const Geometry& geometry, std::size_t unit, ListUse use,
                   TurnSteps steps, const TurnedEvents& turned, const Lists& lists,
                   const Sequencer& sequencer, const poplar::Tensor& phase,
                   poplar::ComputeSet computeSet) {
  const bool own = use == ListUse::Own;
  const std::size_t list = unit + (own ? 1 : 0);
  const ListShape& shape = geometry.lists[list];
  const bool inBlocks = geometry.multipliesByRow(graph, unit);
  auto vertex =
      graph.addVertex(computeSet, vertexName(inBlocks ? "TurnBlock" : "TurnLists", geometry.idType),
                      {{"control", sequencer.control[unit]},
                       {"phase", phase},
                       {inBlocks ? "turned" : "begins", turned.begins},
                       {inBlocks ? "entryPlaces" : "entrySamples", turned.entrySamples},
                       {"entryValues", turned.entryValues}});
  if (inBlocks) {
    connectHistory(graph, vertex, geometry, lists, list);
    graph.setInitialValue(vertex["firstIndex"], firstHistoryIndex(unit, list));
    graph.setInitialValue(vertex["room"], geometry.errorRoom(unit));
    graph.setInitialValue(vertex["allSteps"],
                          steps == TurnSteps::All ? geometry.sequence.numSteps : 0u);
  } else {
    graph.connect(vertex["lists"], own ? lists.ownSlab(list) : lists.slab(list));
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["fromOwn"], own ? 1u : 0u);
    graph.setInitialValue(vertex["width"], shape.width());
    graph.setInitialValue(vertex["capacity"], shape.capacity);
  }
  graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
  graph.setInitialValue(vertex["dropoutStream"], dropoutStream(unit));
  graph.setInitialValue(vertex["dropout"],
                        own ? 0.0f : static_cast<float>(geometry.units[unit].layer.gated.dropout));
  graph.setTileMapping(vertex, shape.placement.groups.front().tile);
}

void addTurnLists(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                  const UnitTurnedLists& turned, const Lists& lists, const Sequencer& sequencer,
                  const poplar::Tensor& phase, poplar::ComputeSet computeSet) {
  for (std::size_t own = 0; own < turned.lists.size(); ++own) {
    addTurnEvents(graph, geometry, unit, own != 0 ? ListUse::Own : ListUse::Received,
                  TurnSteps::Waiting, turned.lists[own], lists, sequencer, phase, computeSet);
  }
  if (geometry.sendsDownByRow(graph, unit)) {
    const ListShape& shape = geometry.lists[unit];
    auto active = graph.addVertex(computeSet, vertexName("TurnActive", geometry.idType),
                                  {{"control", sequencer.control[unit]},
                                   {"lists", lists.slab(unit)},
                                   {"begins", turned.active.begins},
                                   {"entrySamples", turned.active.samples},
                                   {"entryPlaces", turned.active.places}});
    graph.setInitialValue(active["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(active["rows"], geometry.slabRows());
    graph.setInitialValue(active["width"], shape.width());
    graph.setInitialValue(active["capacity"], shape.capacity);
    graph.setTileMapping(active, shape.placement.groups.front().tile);
  }
}

void addRowProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                    const UnitTensors& tensors, const UnitTurnedLists& turned,
                    const Sequencer& sequencer, const poplar::Tensor& phase,
                    poplar::ComputeSet computeSet) {
  if (!geometry.sendsDownByRow(graph, layer)) {
    return;
  }
  const Unit& unit = geometry.units[layer];
  const GatedTensors& gated = tensors.gated;
  const bool keepsErrors = geometry.sequence.keepsErrors;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex =
        graph.addVertex(computeSet, "RowProduct",
                        {{"control", sequencer.control[layer]},
                         {"phase", phase},
                         {"begins", turned.active.begins},
                         {"entrySamples", turned.active.samples},
                         {"entryPlaces", turned.active.places},
                         {"weights", inputWeights(unit, i, tensors)},
                         {"errors", (keepsErrors ? gated.gates : gated.inputErrors).piece(i)},
                         {"partials", tensors.partials.piece(i)},
                         {"panel", gated.receivedPanels.piece(i)}});
    graph.setInitialValue(vertex["columns"], unit.gates * unit.numNeurons(i));
    graph.setInitialValue(vertex["keepsErrors"], keepsErrors);
    graph.setInitialValue(vertex["errorColumns"],
                          keepsErrors ? static_cast<unsigned>(keptStride(unit.numNeurons(i)))
                                      : unit.gates * unit.numNeurons(i));
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["room"], geometry.errorRoom(layer));
    graph.setInitialValue(vertex["dropoutStream"], dropoutStream(layer));
    graph.setInitialValue(vertex["dropout"], static_cast<float>(unit.layer.gated.dropout));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addRecurrentProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                          const UnitTensors& tensors, const Lists& lists,
                          const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  if (!geometry.multipliesByRow(graph, layer)) {
    return;
  }
  const Unit& unit = geometry.units[layer];
  std::vector<poplar::Tensor> errors, panels;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    errors.push_back(tensors.gated.recurrentErrors.piece(i));
    panels.push_back(tensors.gated.errorPanels.piece(i));
  }
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    std::vector<poplar::Tensor> weights;
    for (std::size_t of = 0; of < unit.numTiles(); ++of) {
      const std::size_t columns = std::size_t{unit.gates} * unit.numNeurons(of);
      const std::size_t first = unit.firstNeuron(i) * columns;
      weights.push_back(
          recurrentWeights(unit, of, tensors).slice(first, first + unit.numNeurons(i) * columns));
    }
    auto vertex = graph.addVertex(computeSet, vertexName("RecurrentProduct", geometry.idType),
                                  {{"control", sequencer.control[layer]},
                                   {"lists", lists.ownSlab(layer + 1)},
                                   {"products", tensors.ownPartials.piece(i)}});
    graph.connect(vertex["weights"], weights);
    graph.connect(vertex["errors"], errors);
    graph.connect(vertex["panels"], panels);
    graph.setInitialValue(vertex["firstNeuron"], unit.firstNeuron(i));
    graph.setInitialValue(vertex["neurons"], unit.numNeurons(i));
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], geometry.lists[layer + 1].width());
    graph.setInitialValue(vertex["room"], geometry.errorRoom(layer));
    graph.setTileMapping(vertex, unit.placement.tiles[i]);
  }
}

void addEventGradients(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                       const UnitTensors& tensors, const UnitTurnedLists& turned,
                       const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[index];
  const GatedTensors& gated = tensors.gated;
  const bool byRow = geometry.multipliesByRow(graph, index);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    const unsigned tile = unit.placement.tiles[i];
    const std::uint32_t columns = unit.gates * unit.numNeurons(i);
    const auto addRows = [&](std::size_t list, const TiledTensor& errors, std::size_t firstRow,
                             std::size_t numRows) {
      const TurnedEvents& lists = turned.lists[list];
      auto vertex = graph.addVertex(
          computeSet, byRow ? "BlockEventGradient" : "EventGradient",
          {{"control", sequencer.control[index]},
           {"begins", lists.begins},
           {byRow ? "entryPlaces" : "entrySamples", lists.entrySamples},
           {"entryValues", lists.entryValues},
           {"errors", errors.piece(i)},
           {"gradient",
            tensors.gradient.piece(i).slice(firstRow * columns, (firstRow + numRows) * columns)}});
      graph.setInitialValue(vertex["columns"], columns);
      if (byRow) {
        graph.connect(vertex["values"], gated.rowValues[list].piece(i));
        graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
        graph.setInitialValue(vertex["room"], geometry.errorRoom(index));
      }
      graph.setTileMapping(vertex, tile);
    };
    const auto addBias = [&](const TiledTensor& errors, const TiledTensor& gradient,
                             std::uint32_t room) {
      auto vertex = graph.addVertex(computeSet, "BiasGradient",
                                    {{"control", sequencer.control[index]},
                                     {"errors", errors.piece(i)},
                                     {"gradient", gradient.piece(i)}});
      graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
      graph.setInitialValue(vertex["room"], room);
      graph.setTileMapping(vertex, tile);
    };
    if (!unit.isReadout) {
      addBias(gated.thresholdErrors, gated.thresholdGradient, 1);
    }
    if (geometry.formsGradientsLate(index)) {
      continue;
    }
    const TiledTensor& errors = unit.isReadout ? tensors.scaled : gated.inputErrors;
    const std::uint32_t room = geometry.errorRoom(index);
    addRows(0, errors, 0, unit.fanIn);
    addBias(errors, tensors.biasGradient, room);
    if (!unit.isReadout) {
      addRows(1, gated.recurrentErrors, unit.fanIn, unit.size);
      addBias(gated.recurrentErrors, gated.recurrentBiasGradient, room);
    }
  }
}

} // namespace spillway
