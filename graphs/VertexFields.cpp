#include "graphs/VertexFields.hpp"

#include "graphs/GatedPass.hpp"

namespace spillway {

void setBlockFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    std::size_t unit, std::size_t tile) {
  graph.setInitialValue(vertex["neurons"], geometry.units[unit].numNeurons(tile));
  graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
  graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
  graph.setTileMapping(vertex, geometry.units[unit].placement.tiles[tile]);
}

void setUnitFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                   std::size_t unit, std::size_t tile, std::uint32_t slabRows) {
  setBlockFields(graph, vertex, geometry, unit, tile);
  graph.setInitialValue(vertex["rows"], slabRows);
  graph.setInitialValue(vertex["width"], geometry.lists[unit].width());
}

void setRecurrenceFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                         const Geometry& geometry, std::size_t unit, std::uint32_t slabRows) {
  const std::size_t ownList = geometry.units[unit].isReadout ? unit : unit + 1;
  graph.setInitialValue(vertex["ownRows"], slabRows);
  graph.setInitialValue(vertex["ownWidth"], geometry.lists[ownList].width());
  graph.setInitialValue(vertex["fanIn"], geometry.units[unit].fanIn);
  graph.setInitialValue(vertex["recurrent"], geometry.units[unit].recurrent);
}

poplar::Tensor inputWeights(const Unit& unit, std::size_t tile, const UnitTensors& tensors) {
  const std::size_t received = std::size_t{unit.fanIn} * unit.gates * unit.numNeurons(tile);
  return tensors.weights.piece(tile).slice(0, received);
}

poplar::Tensor recurrentWeights(const Unit& unit, std::size_t tile, const UnitTensors& tensors) {
  const poplar::Tensor weights = tensors.weights.piece(tile);
  const std::size_t received = std::size_t{unit.fanIn} * unit.gates * unit.numNeurons(tile);
  const TiledTensor& connected = tensors.gated.connected;
  return connected.numPieces() != 0 ? connected.piece(tile)
                                    : weights.slice(received, weights.numElements());
}

void connectGatedParameters(poplar::Graph& graph, const poplar::VertexRef& vertex, const Unit& unit,
                            std::size_t tile, const UnitTensors& tensors) {
  const GatedTensors& gated = tensors.gated;
  graph.connect(vertex["weights"], inputWeights(unit, tile, tensors));
  graph.connect(vertex["recurrent"], recurrentWeights(unit, tile, tensors));
  graph.connect(vertex["bias"], tensors.bias.piece(tile));
  graph.connect(vertex["recurrentBias"], gated.recurrentBias.piece(tile));
  graph.connect(vertex["threshold"], gated.threshold.piece(tile));
  graph.connect(vertex["sums"], gated.sums.piece(tile));
  graph.connect(vertex["kept"], gated.kept.piece(tile));
}

void setGatedFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    std::size_t index, std::size_t tile, std::uint32_t slabRows) {
  const Unit& unit = geometry.units[index];
  graph.setInitialValue(vertex["neurons"], unit.numNeurons(tile));
  graph.setInitialValue(vertex["firstNeuron"], unit.firstNeuron(tile));
  graph.setInitialValue(vertex["layerSize"], unit.size);
  graph.setInitialValue(vertex["fanIn"], unit.fanIn);
  graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
  graph.setInitialValue(vertex["rows"], slabRows);
  graph.setInitialValue(vertex["width"], geometry.lists[index].width());
  graph.setInitialValue(vertex["capacity"], geometry.lists[index].capacity);
  graph.setInitialValue(vertex["ownWidth"], geometry.lists[index + 1].width());
  graph.setInitialValue(vertex["stream"], zoneoutStream(index));
  graph.setInitialValue(vertex["zoneout"], static_cast<float>(unit.layer.gated.zoneout));
  graph.setInitialValue(vertex["dropoutStream"], dropoutStream(index));
  graph.setInitialValue(vertex["dropout"], static_cast<float>(unit.layer.gated.dropout));
  graph.setTileMapping(vertex, unit.placement.tiles[tile]);
}

void setNeuronFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                     const LayerSpec& layer) {
  graph.setInitialValue(vertex["alpha"], static_cast<float>(layer.alpha));
  graph.setInitialValue(vertex["gain"], static_cast<float>(layer.gain()));
  graph.setInitialValue(vertex["theta"], static_cast<float>(layer.theta));
  graph.setInitialValue(vertex["rho"], static_cast<float>(layer.rho));
  graph.setInitialValue(vertex["beta"], static_cast<float>(layer.beta));
}

void setReadoutFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                      const Geometry& geometry) {
  const ReadoutSpec& readout = geometry.network.readout;
  graph.setInitialValue(vertex["numSteps"], geometry.sequence.numSteps);
  graph.setInitialValue(vertex["reduction"], static_cast<unsigned>(readout.reduction));
  graph.setInitialValue(vertex["alpha"], static_cast<float>(readout.alpha));
  graph.setInitialValue(vertex["gain"], static_cast<float>(readout.gain()));
}

} // namespace spillway
