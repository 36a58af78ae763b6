#include "graphs/VertexFields.hpp"

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
