#include "graphs/Dropconnect.hpp"

#include "graphs/GatedPass.hpp"

namespace spillway {

void addDropconnect(poplar::Graph& graph, const Geometry& geometry,
                    const std::vector<UnitTensors>& units, const poplar::Tensor& phase,
                    DropconnectUse use, poplar::program::Sequence& prog) {
  if (!geometry.network.isGated()) {
    return;
  }
  const bool weights = use == DropconnectUse::Weights;
  poplar::ComputeSet computeSet = graph.addComputeSet({"dropconnect"});
  bool any = false;
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    const Unit& unit = geometry.units[l];
    const double p = unit.layer.gated.dropconnect;
    for (std::size_t i = 0; p > 0.0 && i < unit.numTiles(); ++i) {
      auto vertex = graph.addVertex(computeSet, weights ? "ConnectWeights" : "ConnectGradients",
                                    {{"phase", phase}});
      const std::size_t begin = std::size_t{unit.fanIn} * unit.gates * unit.numNeurons(i);
      const auto recurrentRows = [&](const poplar::Tensor& piece) {
        return piece.slice(begin, piece.numElements());
      };
      if (weights) {
        graph.connect(vertex["weights"], recurrentRows(units[l].weights.piece(i)));
        graph.connect(vertex["connected"], units[l].gated.connected.piece(i));
      } else {
        graph.connect(vertex["gradient"], recurrentRows(units[l].gradient.piece(i)));
      }
      graph.setInitialValue(vertex["neurons"], unit.numNeurons(i));
      graph.setInitialValue(vertex["firstNeuron"], unit.firstNeuron(i));
      graph.setInitialValue(vertex["layerSize"], unit.size);
      graph.setInitialValue(vertex["stream"], dropconnectStream(l));
      graph.setInitialValue(vertex["p"], static_cast<float>(p));
      graph.setTileMapping(vertex, unit.placement.tiles[i]);
      any = true;
    }
  }
  if (any) {
    prog.add(poplar::program::Execute(computeSet));
  }
}

} // namespace spillway
