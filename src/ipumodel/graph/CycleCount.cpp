#include "graph/Access.hpp"

#include <poplar/CycleCount.hpp>

namespace poplar {
namespace {

// A program made by the library itself rather than through a public constructor.
class NodeProgram : public program::Program {
public:
  NodeProgram(ipumodel::ProgramNode node)
      : Program(std::make_shared<const ipumodel::ProgramNode>(std::move(node))) {}
};

Tensor addCounter(Graph& graph, unsigned tile, const DebugContext& debugContext) {
  const Tensor t = graph.addVariable(UNSIGNED_INT, {2}, {debugContext, "cycles"});
  graph.setTileMapping(t, tile);
  return t;
}

ipumodel::TileId topLevelTile(const Graph& graph, unsigned tile) {
  return ipumodel::TileId{graph.convertTileToTopLevelGraphTile(tile)};
}

} // namespace

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext) {
  const Tensor t = addCounter(graph, tile, debugContext);
  program::Sequence counted;
  counted.add(program::Sync(syncType, debugContext));
  counted.add(NodeProgram(
      {debugContext.getPathName(),
       ipumodel::node::CycleCount{prog.getImpl(), ipumodel::viewOf(t), topLevelTile(graph, tile)},
       graph.getImpl()}));
  prog = counted;
  return t;
}

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile,
                  const DebugContext& debugContext) {
  return cycleCount(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext) {
  return cycleStamp(graph, prog, std::vector<unsigned>{tile}, syncType, debugContext).front();
}

std::vector<Tensor> cycleStamp(Graph& graph, program::Sequence& prog,
                               const std::vector<unsigned>& tiles, SyncType syncType,
                               const DebugContext& debugContext) {
  prog.add(program::Sync(syncType, debugContext));
  std::vector<Tensor> out;
  for (unsigned tile : tiles) {
    out.push_back(addCounter(graph, tile, debugContext));
    prog.add(NodeProgram(
        {debugContext.getPathName(),
         ipumodel::node::CycleStamp{ipumodel::viewOf(out.back()), topLevelTile(graph, tile)},
         graph.getImpl()}));
  }
  return out;
}

} // namespace poplar
