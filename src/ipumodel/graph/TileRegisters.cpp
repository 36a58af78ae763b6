// Registers that every tile has, kept as variables of the graph.
#include "graph/Access.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>

#include <optional>

namespace poplar {
namespace {

// The graph's variable behind a kind of register, with entry i on tile i. Starts as 0.
Tensor registersOf(Graph& graph, std::optional<ipumodel::View> ipumodel::GraphData::*member,
                   ArrayRef<std::size_t> shapePerTile, const char* name) {
  Graph top = graph.getTopLevelGraph();
  std::optional<ipumodel::View>& view = ipumodel::dataOf(top).*member;
  if (view)
    return makeTensor(top.getImpl(), *view);
  std::vector<std::size_t> shape = shapePerTile.cloneAsVector();
  shape.insert(shape.begin(), top.getTarget().getNumTiles());
  const Tensor t = top.addVariable(UNSIGNED_INT, shape, name);
  for (unsigned tile = 0; tile < shape[0]; ++tile)
    top.setTileMapping(t[tile], tile);
  top.setInitialValue(t, 0u);
  view = ipumodel::viewOf(t);
  return t;
}

Tensor behaviourOf(Graph& graph) {
  return registersOf(graph, &ipumodel::GraphData::floatingPointControl, {}, "fpIctl");
}
Tensor seedsOf(Graph& graph) {
  const std::size_t numWorkers = graph.getTopLevelGraph().getTarget().getNumWorkerContexts();
  return registersOf(graph, &ipumodel::GraphData::hardwareSeeds, {numWorkers, 4}, "hwSeeds");
}

unsigned packed(const FloatingPointBehaviour& b) {
  return (b.inv ? 1u : 0) | (b.div0 ? 2u : 0) | (b.oflo ? 4u : 0) | (b.esr ? 8u : 0) |
         (b.nanoo ? 16u : 0);
}

void setAll(Graph& graph, program::Sequence& prog, unsigned value,
            const DebugContext& debugContext) {
  const Tensor registers = behaviourOf(graph);
  const Tensor constant =
      graph.addConstant(UNSIGNED_INT, {}, value, {debugContext, "floatingPointBehaviour"});
  graph.setTileMapping(constant, 0);
  prog.add(program::Copy(constant.expand({0}).broadcast(static_cast<unsigned>(registers.dim(0)), 0),
                         registers, false, debugContext));
}

} // namespace

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext) {
  setAll(graph, prog, packed(behaviour), debugContext);
}

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext) {
  prog.add(program::Copy(behaviour, behaviourOf(graph), false, debugContext));
}

void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable,
                           const DebugContext& debugContext) {
  setFloatingPointBehaviour(graph, prog, FloatingPointBehaviour(false, false, false, enable, false),
                            debugContext);
}

Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                                          const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set,
                                          const DebugContext& debugContext) {
  const Tensor registers = behaviourOf(graph);
  const Tensor before = graph.clone(registers, {debugContext, "before"});
  prog.add(program::Copy(registers, before, false, debugContext));
  setAll(graph, prog, ~packed(clear) & packed(set), debugContext);
  return before;
}

Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext) {
  const Tensor registers = seedsOf(graph);
  const Tensor copy = graph.clone(registers, {debugContext, "hwSeeds"});
  prog.add(program::Copy(registers, copy, false, debugContext));
  return copy;
}

void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog,
                const DebugContext& debugContext) {
  const Tensor registers = seedsOf(graph);
  if (seeds.numElements() != registers.numElements())
    throw poplar_error("setHwSeeds takes a tensor of shape " + registers.shapeToString() +
                       ", not " + seeds.getDebugStr());
  prog.add(program::Copy(seeds.flatten(), registers.flatten(), false, debugContext));
}

} // namespace poplar
