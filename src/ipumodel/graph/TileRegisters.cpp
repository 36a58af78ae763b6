// Registers that every tile has, kept as variables of the graph.
#include "graph/Access.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>

#include <array>
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

// Flag by flag: without arithmetic, flags can only be copied one by one.
constexpr std::size_t kNumFlags = 5;

Tensor behaviourOf(Graph& graph) {
  return registersOf(graph, &ipumodel::GraphData::floatingPointControl, {kNumFlags}, "fpIctl");
}
Tensor seedsOf(Graph& graph) {
  const std::size_t numWorkers = graph.getTopLevelGraph().getTarget().getNumWorkerContexts();
  return registersOf(graph, &ipumodel::GraphData::hardwareSeeds, {numWorkers, 4}, "hwSeeds");
}

std::array<bool, kNumFlags> flagsOf(const FloatingPointBehaviour& b) {
  return {b.inv, b.div0, b.oflo, b.esr, b.nanoo};
}

// Sets the chosen flags of all tiles to a value and leaves the others alone.
void setFlags(Graph& graph, program::Sequence& prog, const std::array<bool, kNumFlags>& chosen,
              bool value, const DebugContext& debugContext) {
  const Tensor registers = behaviourOf(graph);
  std::vector<Tensor> flags;
  for (std::size_t i = 0; i != kNumFlags; ++i)
    if (chosen[i])
      flags.push_back(registers.slice(i, i + 1, 1));
  if (flags.empty())
    return;
  const Tensor destination = concat(flags).flatten();
  const Tensor constant = graph.addConstant(UNSIGNED_INT, {}, value ? 1u : 0u,
                                            {debugContext, "floatingPointBehaviour"});
  graph.setTileMapping(constant, 0);
  prog.add(
      program::Copy(constant.expand({0}).broadcast(static_cast<unsigned>(destination.dim(0)), 0),
                    destination, false, debugContext));
}

} // namespace

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext) {
  setFlags(graph, prog, flagsOf(!behaviour), false, debugContext);
  setFlags(graph, prog, flagsOf(behaviour), true, debugContext);
}

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext) {
  prog.add(program::Copy(behaviour, behaviourOf(graph), false, debugContext));
}

void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable,
                           const DebugContext& debugContext) {
  const FloatingPointBehaviour rounding(false, false, false, true, false);
  setFlags(graph, prog, flagsOf(rounding), enable, debugContext);
}

Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                                          const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set,
                                          const DebugContext& debugContext) {
  const Tensor registers = behaviourOf(graph);
  const Tensor before = graph.clone(registers, {debugContext, "before"});
  prog.add(program::Copy(registers, before, false, debugContext));
  setFlags(graph, prog, flagsOf(clear), false, debugContext);
  setFlags(graph, prog, flagsOf(set), true, debugContext);
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
