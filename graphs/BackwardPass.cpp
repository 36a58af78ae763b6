#include "graphs/BackwardPass.hpp"

#include "codelets/maths/Blocks.hpp"
#include "graphs/ForwardPass.hpp"
#include "graphs/RowView.hpp"
#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {
namespace {

// The part of each tile's dense partials that goes to tile `receiver` of `unit`.
std::vector<poplar::Tensor> partialsFor(const poplar::Graph& graph, const Geometry& geometry,
                                        const Unit& unit, std::size_t receiver,
                                        const TiledTensor& partials) {
  if (geometry.goesBackByLayer(graph)) {
    return {partials.piece(receiver)};
  }
  const std::size_t rows = std::size_t{geometry.sequence.numSamples} * geometry.sequence.blockSteps;
  const std::size_t begin = rows * unit.firstNeuron(receiver);
  std::vector<poplar::Tensor> pieces;
  for (std::size_t i = 0; i < partials.numPieces(); ++i) {
    pieces.push_back(partials.piece(i).slice(begin, begin + rows * unit.numNeurons(receiver)));
  }
  return pieces;
}

void setGradientFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                       const Geometry& geometry, std::size_t layer, const Sequencer& sequencer) {
  const LayerSpec& spec = geometry.units[layer].layer;
  graph.connect(vertex["control"], sequencer.control[layer]);
  setNeuronFields(graph, vertex, spec);
  graph.setInitialValue(vertex["counting"], countsSpikes(geometry, layer));
  graph.setInitialValue(vertex["gateReset"], spec.resetGradient == ResetGradient::Gate);
  graph.setInitialValue(vertex["surrogateShape"], static_cast<unsigned>(spec.surrogate.kind));
  graph.setInitialValue(vertex["surrogateInverseWidth"],
                        static_cast<float>(1.0 / spec.surrogate.width));
  graph.setInitialValue(vertex["surrogateScale"], static_cast<float>(spec.surrogate.scale));
}

void setAdjointFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                      const Geometry& geometry, std::size_t layer, std::size_t tile,
                      const UnitTensors& tensors, const Sequencer& sequencer) {
  graph.connect(vertex["slots"], tensors.slots.piece(tile));
  graph.connect(vertex["countGradient"], tensors.countGradient.piece(tile));
  graph.connect(vertex["adjoint"], tensors.adjoint.piece(tile));
  graph.connect(vertex["scaled"], tensors.scaled.piece(tile));
  setBlockFields(graph, vertex, geometry, layer, tile);
  setGradientFields(graph, vertex, geometry, layer, sequencer);
}

// A group's samples of every piece of a tensor whose pieces are [sample][...].
std::vector<poplar::Tensor> samplesOf(const TiledTensor& tensor, const SampleGroup& group,
                                      std::size_t numSamples) {
  std::vector<poplar::Tensor> slices;
  for (std::size_t i = 0; i < tensor.numPieces(); ++i) {
    const std::size_t each = tensor.piece(i).numElements() / numSamples;
    slices.push_back(tensor.piece(i).slice(group.firstSample * each,
                                           (group.firstSample + group.numSamples) * each));
  }
  return slices;
}

// One vertex per group of samples, which has a layer's adjoints of them whole.
void addLayerBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const UnitTensors* above, const Lists& lists,
                      const TiledTensor& carried, const SurrogateCache* cache,
                      const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const ListShape& list = geometry.lists[layer + 1];
  const std::size_t samples = geometry.sequence.numSamples;
  const std::string type = vertexName("ListBackward", geometry.idType);
  std::vector<poplar::Tensor> slots;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    slots.push_back(tensors.slots.piece(i));
  }
  for (std::size_t g = 0; g < list.placement.groups.size(); ++g) {
    const SampleGroup& group = list.placement.groups[g];
    auto vertex = graph.addVertex(computeSet, type,
                                  {{"ownLists", lists.ownSlabOf(layer + 1, g)},
                                   {"carried", carried.piece(g)},
                                   {"adjoint", tensors.adjoint.piece(g)},
                                   {"values", cache != nullptr ? cache->histories()[layer].piece(g)
                                                               : tensors.bias.piece(0)}});
    const bool appended = cache != nullptr && cache->appends(layer);
    graph.connect(vertex["begins"],
                  appended ? lists.begins(layer + 1).piece(g) : sequencer.control[layer]);
    graph.setInitialValue(vertex["appended"], appended);
    setGradientFields(graph, vertex, geometry, layer, sequencer);
    graph.connect(vertex["above"], above != nullptr
                                       ? samplesOf(above->partials, group, samples)
                                       : std::vector<poplar::Tensor>{tensors.bias.piece(0)});
    graph.connect(vertex["slots"], slots);
    graph.connect(vertex["countGradient"], samplesOf(tensors.countGradient, group, samples));
    graph.connect(vertex["scaled"], samplesOf(tensors.scaled, group, samples));
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["firstSample"], group.firstSample);
    graph.setInitialValue(vertex["allSamples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], list.width());
    graph.setInitialValue(vertex["hasAbove"], above != nullptr);
    graph.setInitialValue(vertex["cached"], cache != nullptr);
    graph.setTileMapping(vertex, group.tile);
  }
}

void addListBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                     const UnitTensors& tensors, const Lists& lists,
                     const poplar::Tensor& gradients, const SurrogateCache* cache,
                     const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  const std::string type = vertexName("SpikingBackward", geometry.idType, unit.layer.neuron);
  const RowView own = blockRows(graph, geometry, lists.ownSlab(layer + 1), 1);
  const RowView sent =
      blockRows(graph, geometry, gradients, firstGradientRow(geometry.sequence.blockSteps));
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    // Without a cache its field is connected to something harmless.
    auto vertex =
        graph.addVertex(computeSet, type,
                        {{"ownLists", own.tensor},
                         {"gradients", sent.tensor},
                         {"values", cache != nullptr ? cache->ownSlab(layer) : sent.tensor}});
    graph.setInitialValue(vertex["cached"], cache != nullptr);
    setAdjointFields(graph, vertex, geometry, layer, i, tensors, sequencer);
    graph.setInitialValue(vertex["ownRows"], own.rows);
    graph.setInitialValue(vertex["ownFirst"], own.first);
    graph.setInitialValue(vertex["ownWidth"], geometry.lists[layer + 1].width());
    graph.setInitialValue(vertex["gradientRows"], sent.rows);
    graph.setInitialValue(vertex["gradientFirst"], sent.first);
    graph.setInitialValue(vertex["firstNeuron"], unit.firstNeuron(i));
  }
}

void addDenseBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const UnitTensors* above,
                      const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[layer];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("DenseBackward", unit.layer.neuron),
                                  {{"carried", tensors.carried.piece(i)}});
    setAdjointFields(graph, vertex, geometry, layer, i, tensors, sequencer);
    // A vector of edges cannot be empty: what is not read is connected to something harmless.
    const std::vector<poplar::Tensor> unused{tensors.bias.piece(i)};
    graph.connect(vertex["above"], above != nullptr
                                       ? partialsFor(graph, geometry, unit, i, above->partials)
                                       : unused);
    graph.connect(vertex["own"], unit.recurrent
                                     ? partialsFor(graph, geometry, unit, i, tensors.ownPartials)
                                     : unused);
    graph.setInitialValue(vertex["hasAbove"], above != nullptr);
    graph.setInitialValue(vertex["recurrent"], unit.recurrent);
  }
}

} // namespace

void addSpikingBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                        const UnitTensors& tensors, const UnitTensors* above, const Lists& lists,
                        const TiledTensor& gradients, const SurrogateCache* cache,
                        const Sequencer& sequencer, poplar::ComputeSet computeSet) {
  if (geometry.lists[layer + 1].denseGradient) {
    addDenseBackward(graph, geometry, layer, tensors, above, sequencer, computeSet);
  } else if (geometry.listsGoBackByLayer(graph, layer)) {
    addLayerBackward(graph, geometry, layer, tensors, above, lists, gradients, cache, sequencer,
                     computeSet);
  } else {
    addListBackward(graph, geometry, layer, tensors, lists, gradients.flat(), cache, sequencer,
                    computeSet);
  }
}

void addReadoutBackward(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& tensors,
                        const poplar::Tensor& stepErrors, const Sequencer& sequencer,
                        poplar::ComputeSet computeSet) {
  const std::size_t index = geometry.numLayers();
  const Unit& unit = geometry.units[index];
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    const std::uint32_t first = unit.firstNeuron(i);
    const poplar::Tensor own =
        geometry.losesAtEveryStep()
            ? stepErrors.slice(first, first + unit.numNeurons(i), 1).flatten()
            : tensors.errors.piece(i);
    auto vertex = graph.addVertex(computeSet, "ReadoutBackward",
                                  {{"control", sequencer.control[index]},
                                   {"errors", tensors.errors.piece(i)},
                                   {"bestStep", tensors.bestStep.piece(i)},
                                   {"stepErrors", own},
                                   {"adjoint", tensors.adjoint.piece(i)},
                                   {"scaled", tensors.scaled.piece(i)}});
    setBlockFields(graph, vertex, geometry, index, i);
    setReadoutFields(graph, vertex, geometry);
  }
}

void addIndexLists(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   poplar::ComputeSet computeSet) {
  if (!geometry.sumsGradientsByRow(graph)) {
    return;
  }
  const RowView received = blockRows(graph, geometry, lists.slab(index), 0);
  auto vertex = graph.addVertex(computeSet, vertexName("IndexLists", geometry.idType),
                                {{"control", sequencer.control[index]},
                                 {"lists", received.tensor},
                                 {"index", tensors.rowIndex.flat()}});
  graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
  graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
  graph.setInitialValue(vertex["rows"], received.rows);
  graph.setInitialValue(vertex["width"], geometry.lists[index].width());
  graph.setInitialValue(vertex["fanIn"], geometry.units[index].fanIn);
  graph.setTileMapping(vertex, geometry.units[index].placement.tiles.front());
}

void addWeightGradient(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                       const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                       poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[index];
  const bool byRow = geometry.sumsGradientsByRow(graph);
  const std::string type =
      vertexName(byRow ? "BlockWeightGradient" : "WeightGradient", geometry.idType);
  const RowView received = blockRows(graph, geometry, lists.slab(index), 0);
  const RowView own =
      unit.recurrent ? blockRows(graph, geometry, lists.ownSlab(index + 1), 0) : received;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    auto vertex = graph.addVertex(computeSet, type,
                                  {{"control", sequencer.control[index]},
                                   {"lists", received.tensor},
                                   {"scaled", tensors.scaled.piece(i)},
                                   {"gradient", tensors.gradient.piece(i)},
                                   {"biasGradient", tensors.biasGradient.piece(i)}});
    setUnitFields(graph, vertex, geometry, index, i, received.rows);
    if (byRow) {
      graph.connect(vertex["index"], tensors.rowIndex.flat());
      graph.setInitialValue(vertex["fanIn"], unit.fanIn);
      graph.setInitialValue(vertex["hasBias"],
                            unit.isReadout ? geometry.network.readout.bias : unit.layer.bias);
    } else {
      graph.connect(vertex["ownLists"], own.tensor);
      graph.connect(vertex["copies"], tensors.gradientCopies.piece(i));
      graph.setInitialValue(vertex["gradientRows"], unit.numRows());
      graph.setInitialValue(vertex["numCopies"], geometry.sequence.gradientCopies);
      setRecurrenceFields(graph, vertex, geometry, index, own.rows);
    }
  }
}

void addGradientCopies(poplar::Graph& graph, const Geometry& geometry,
                       const std::vector<UnitTensors>& units, poplar::ComputeSet computeSet) {
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = geometry.units[u];
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      auto vertex = graph.addVertex(computeSet, "AddGradientCopies",
                                    {{"gradient", units[u].gradient.piece(i)},
                                     {"biasGradient", units[u].biasGradient.piece(i)},
                                     {"copies", units[u].gradientCopies.piece(i)}});
      graph.setInitialValue(vertex["size"], unit.numRows() * unit.numNeurons(i));
      graph.setInitialValue(vertex["biasSize"], unit.numNeurons(i));
      graph.setInitialValue(vertex["numCopies"], geometry.sequence.gradientCopies);
      graph.setTileMapping(vertex, unit.placement.tiles[i]);
    }
  }
}

void addSumPartials(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                    const std::vector<UnitTensors>& tensors, const Lists& lists,
                    const TiledTensor& gradients, const Sequencer& sequencer,
                    poplar::ComputeSet computeSet) {
  const std::size_t list = layer + 1;
  const ListShape& shape = geometry.lists[list];
  const bool hasAbove = list < geometry.units.size();
  const std::size_t above = hasAbove ? list : layer;
  const auto partialsOf = [&](const TiledTensor& partials, const SampleGroup& group) {
    const std::size_t perSample = std::size_t{geometry.sequence.blockSteps} * shape.capacity;
    std::vector<poplar::Tensor> slices;
    for (std::size_t i = 0; i < partials.numPieces(); ++i) {
      slices.push_back(partials.piece(i).slice(group.firstSample * perSample,
                                               (group.firstSample + group.numSamples) * perSample));
    }
    return slices;
  };
  for (std::size_t g = 0; g < shape.placement.groups.size(); ++g) {
    const SampleGroup& group = shape.placement.groups[g];
    const bool recurrent = geometry.units[layer].recurrent;
    auto vertex = graph.addVertex(computeSet, vertexName("SumPartials", geometry.idType),
                                  {{"controlAbove", sequencer.control[above]},
                                   {"controlOwn", sequencer.control[layer]},
                                   {"lists", lists.slabOf(list, g)},
                                   {"ownLists", lists.ownSlabOf(list, g)},
                                   {"gradients", gradients.piece(g)}});
    // A vector of edges cannot be empty: what is not read is connected to something harmless.
    const std::vector<poplar::Tensor> unused{tensors[layer].ownPartials.piece(0).slice(0, 1)};
    graph.connect(vertex["above"], hasAbove ? partialsOf(tensors[above].partials, group) : unused);
    graph.connect(vertex["own"],
                  recurrent ? partialsOf(tensors[layer].ownPartials, group) : unused);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setInitialValue(vertex["rows"], geometry.slabRows());
    graph.setInitialValue(vertex["width"], shape.width());
    graph.setInitialValue(vertex["hasAbove"], hasAbove);
    graph.setInitialValue(vertex["recurrent"], recurrent);
    graph.setTileMapping(vertex, group.tile);
  }
}

} // namespace spillway
