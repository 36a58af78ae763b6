#include "graphs/Sequencer.hpp"

#include "codelets/maths/Blocks.hpp"
#include "graphs/SnnGraph.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {

Sequencer::Sequencer(poplar::Graph& graph, const Geometry& geometry,
                     const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const auto variable = [&](const char* what, std::vector<std::size_t> shape,
                            poplar::Type type = poplar::UNSIGNED_INT) {
    poplar::Tensor tensor = graph.addVariable(type, shape, {name, what});
    graph.setTileMapping(tensor, geometry.controlTile);
    return tensor;
  };
  const std::size_t numUnits = geometry.units.size();
  actions = variable("actions", {std::size_t{geometry.sequence.tableActions} * kActionWords});
  if (geometry.sequence.numActionPages != 0) {
    firstPage = variable("firstPage", {1}, poplar::INT);
    pages_ = graph.addRemoteBuffer(host::kActions, poplar::UNSIGNED_INT, actions.numElements(),
                                   geometry.sequence.numActionPages);
  }
  cursor = variable("cursor", {kCursorWords});
  control = variable("control", {numUnits, kControlWords});
  next = variable("next", {numUnits, kControlWords});
  code = variable("code", {});
  more = variable("more", {});
  computes = variable("computes", {});
  running = variable("running", {});
  transfer = variable("transfer", {kTransferWords});
  remoteRows = variable("remoteRows", {geometry.sequence.maxTransfer}, poplar::INT);
  historyBuffer = variable("historyBuffer", {});
  blockRow = variable("blockRow", {1}, poplar::INT);
  counts = variable("counts", {kCountWords});
}

poplar::program::Program Sequencer::loadFirstPage() const {
  return pages_ ? poplar::program::Program(poplar::program::Copy(*pages_, actions, firstPage))
                : poplar::program::Sequence();
}

poplar::program::Program Sequencer::loadNextPage() const {
  return poplar::program::Copy(*pages_, actions, blockRow);
}

void Sequencer::addClear(poplar::Graph& graph, const Geometry& geometry,
                         poplar::ComputeSet computeSet) const {
  for (const poplar::Tensor& tensor : {cursor, counts}) {
    auto vertex = graph.addVertex(computeSet, vertexName("Clear", tensor.elementType()),
                                  {{"values", tensor}});
    graph.setTileMapping(vertex, geometry.controlTile);
  }
}

void Sequencer::addFetchAction(poplar::Graph& graph, const Geometry& geometry,
                               poplar::ComputeSet computeSet) const {
  auto vertex = graph.addVertex(computeSet, "FetchAction",
                                {{"actions", actions},
                                 {"cursor", cursor},
                                 {"control", next.flatten()},
                                 {"code", code},
                                 {"more", more},
                                 {"computes", computes},
                                 {"running", running},
                                 {"transfer", transfer},
                                 {"remoteRows", remoteRows},
                                 {"historyBuffer", historyBuffer},
                                 {"blockRow", blockRow},
                                 {"counts", counts}});
  graph.setInitialValue(vertex["numUnits"], static_cast<unsigned>(geometry.units.size()));
  graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
  graph.setInitialValue(vertex["lightSteps"], geometry.sequence.lightSteps);
  graph.setInitialValue(vertex["historySteps"], geometry.sequence.historySteps);
  graph.setInitialValue(vertex["errorSteps"], geometry.sequence.errorSteps);
  graph.setInitialValue(vertex["sameStep"], geometry.network.isGated());
  graph.setInitialValue(vertex["spareRow"], geometry.sequence.numRows);
  graph.setTileMapping(vertex, geometry.controlTile);
}

void Sequencer::addNextBlocks(poplar::Graph& graph, const Geometry& geometry,
                              poplar::ComputeSet computeSet) const {
  auto vertex =
      graph.addVertex(computeSet, "NextBlocks",
                      {{"cursor", cursor}, {"control", next.flatten()}, {"running", running}});
  graph.setInitialValue(vertex["numUnits"], static_cast<unsigned>(geometry.units.size()));
  graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
  graph.setInitialValue(vertex["lightSteps"], geometry.sequence.lightSteps);
  graph.setInitialValue(vertex["historySteps"], geometry.sequence.historySteps);
  graph.setInitialValue(vertex["errorSteps"], geometry.sequence.errorSteps);
  graph.setInitialValue(vertex["sameStep"], geometry.network.isGated());
  graph.setTileMapping(vertex, geometry.controlTile);
}

} // namespace spillway
