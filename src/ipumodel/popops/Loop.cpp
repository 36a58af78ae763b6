#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

namespace {
// The counter is one word; it lives where scalars usually do.
constexpr unsigned kCounterTile = 0;
} // namespace

Sequence countedLoop(Graph& graph, std::size_t begin, std::size_t end, std::size_t step,
                     const CountedLoopBodyType& body, const DebugContext& debugContext) {
  if (step == 0 || begin >= end)
    throw poputil::poplibs_error("countedLoop: begin " + std::to_string(begin) +
                                 " must be less than end " + std::to_string(end) + ", and step " +
                                 std::to_string(step) + " greater than 0");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto counter = graph.addVariable(poplar::UNSIGNED_INT, {1}, {di, "counter"});
  const auto first = graph.addConstant(poplar::UNSIGNED_INT, {1}, begin, {di, "begin"});
  const auto increment = graph.addConstant(poplar::UNSIGNED_INT, {1}, step, {di, "step"});
  for (const auto& t : {counter, first, increment})
    graph.setTileMapping(t, kCounterTile);
  Sequence iteration;
  iteration.add(body(counter));
  addInPlace(graph, counter, increment, iteration, {di, "count"});
  Sequence loop;
  loop.add(Copy(first, counter, false, {di}));
  loop.add(poplar::program::Repeat(static_cast<unsigned>((end - begin + step - 1) / step),
                                   iteration, {di}));
  return loop;
}

Sequence countedLoop(Graph& graph, std::size_t count, const CountedLoopBodyType& body,
                     const DebugContext& debugContext) {
  return countedLoop(graph, 0, count, 1, body, debugContext);
}

Tensor addForLoopCounterVertex(Graph& graph, const Tensor& count, const Tensor& countLimit,
                               int countStep, unsigned tile, Sequence& prog,
                               const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto predicate = graph.addVariable(poplar::UNSIGNED_INT, {}, {di, "predicate"});
  graph.setTileMapping(predicate, tile);
  const auto cs = graph.addComputeSet({di, "ForLoopCounter"});
  const auto v =
      graph.addVertex(cs, poputil::templateVertex("popops::ForLoopCounter", count.elementType()));
  graph.setTileMapping(v, tile);
  graph.connect(v["count"], count.reshape({}));
  graph.connect(v["limit"], countLimit.reshape({}));
  graph.connect(v["comparisonResult"], predicate);
  graph.setInitialValue(v["increment"], countStep);
  prog.add(poplar::program::Execute(cs, {di}));
  return predicate;
}

Sequence countedForLoop(Graph& graph, const Tensor& count, int initialCount,
                        const Tensor& countLimit, int countStep,
                        const poplar::program::Program& body, const DebugContext& debugContext) {
  const auto type = count.elementType();
  if ((type != poplar::INT && type != poplar::UNSIGNED_INT) || type != countLimit.elementType())
    throw poputil::poplibs_error("countedForLoop: count and limit must both be INT or both "
                                 "UNSIGNED_INT; they are " +
                                 type.toString().cloneAsString() + " and " +
                                 countLimit.elementType().toString().cloneAsString());
  poputil::PoplibsOpDebugInfo di(debugContext);
  // The condition counts before it compares, so the count starts one step early.
  const auto first =
      graph.addConstant(type, count.shape(), initialCount - countStep, {di, "first"});
  graph.setTileMapping(first, kCounterTile);
  Sequence condition;
  const auto predicate =
      addForLoopCounterVertex(graph, count, countLimit, countStep, kCounterTile, condition, {di});
  Sequence loop;
  loop.add(Copy(first, count, false, {di}));
  loop.add(poplar::program::RepeatWhileTrue(condition, predicate, body, {di}));
  return loop;
}

Sequence countedForLoop(Graph& graph, int initialCount, const Tensor& countLimit, int countStep,
                        const poplar::program::Program& body, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto count = graph.addVariable(countLimit.elementType(), {}, {di, "count"});
  graph.setTileMapping(count, kCounterTile);
  return countedForLoop(graph, count, initialCount, countLimit, countStep, body, {di});
}

} // namespace popops
