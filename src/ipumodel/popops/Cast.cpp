#include "popops/CastQuarter.hpp"
#include "popops/ElementWiseVertices.hpp"

#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <cmath>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

namespace {

// On a CPU long is long long.
poplar::Type vertexType(const poplar::Type& type) {
  if (type == poplar::LONG)
    return poplar::LONGLONG;
  return type == poplar::UNSIGNED_LONG ? poplar::UNSIGNED_LONGLONG : type;
}

// Types that vertices convert from and to everything.
bool isCommon(const poplar::Type& type) {
  return type == poplar::FLOAT || type == poplar::HALF || type == poplar::INT ||
         type == poplar::UNSIGNED_INT || type == poplar::BOOL;
}

// A type to convert by way of, if there are no vertices for the two.
poplar::Type between(const poplar::Type& from, const poplar::Type& to) {
  const auto isLong = [](const poplar::Type& type) {
    return type == poplar::LONGLONG || type == poplar::UNSIGNED_LONGLONG;
  };
  if (from == poplar::QUARTER || to == poplar::QUARTER) {
    const auto other = from == poplar::QUARTER ? to : from;
    return other == poplar::FLOAT || other == poplar::HALF ? from : poplar::FLOAT;
  }
  const bool direct = from == to || (isCommon(from) && !(isLong(to) && from == poplar::HALF)) ||
                      (isCommon(to) && !(isLong(from) && to == poplar::HALF));
  if (direct)
    return from;
  return from == poplar::HALF || to == poplar::HALF ? poplar::FLOAT : poplar::INT;
}

Tensor asVertexType(const Tensor& t) {
  const auto type = vertexType(t.elementType());
  return type == t.elementType() ? t : t.reinterpret(type);
}

} // namespace

void cast(Graph& graph, Tensor src, Tensor dst, poplar::ComputeSet cs) {
  if (src.shape() != dst.shape())
    throw poputil::poplibs_error("cast: source of shape " + src.shapeToString() +
                                 ", destination of shape " + dst.shapeToString());
  if (involvesQuarter(src, dst))
    return addQuarterCasts(graph, src, dst, cs);
  src = asVertexType(src);
  dst = asVertexType(dst);
  const auto name = [&](const char* base) {
    return poputil::templateVertex(base, src.elementType(), dst.elementType());
  };
  auto operand = makeOperand("in", src, dst.shape());
  addElementWiseVertices(graph, cs, dst, "out", {operand},
                         {name("popops::Cast1D"), name("popops::Cast2D")}, PatternFields::Absent,
                         [](poplar::VertexRef) {});
}

poplar::program::Program cast(Graph& graph, Tensor src, Tensor dst,
                              const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  src = asVertexType(src);
  dst = asVertexType(dst);
  if (src.elementType() == dst.elementType() && !src.hasMetadata())
    return poplar::program::Copy(src, dst, false, {di});
  const auto via = between(src.elementType(), dst.elementType());
  if (via != src.elementType()) {
    poplar::program::Sequence steps;
    const auto middle = cast(graph, src, via, steps, {di});
    steps.add(cast(graph, middle, dst, {di}));
    return steps;
  }
  const auto cs = graph.addComputeSet({di, "Cast"});
  cast(graph, src, dst, cs);
  return poplar::program::Execute(cs, {di});
}

Tensor cast(Graph& graph, Tensor src, const poplar::Type& dstType, poplar::ComputeSet cs,
            const DebugContext& debugContext) {
  const auto dst = graph.clone(dstType, src, debugContext);
  cast(graph, src, dst, cs);
  return dst;
}

Tensor cast(Graph& graph, const Tensor& src, const poplar::Type& dstType,
            poplar::program::Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto dst = graph.clone(dstType, src, {di, "cast"});
  prog.add(cast(graph, src, dst, {di}));
  return dst;
}

void castWithOutput(Graph& graph, const Tensor& src, const Tensor& dst,
                    poplar::program::Sequence& prog, const DebugContext& debugContext) {
  prog.add(cast(graph, src, dst, debugContext));
}

Tensor checkAccuracyWhenCast(Graph& graph, const Tensor& input, poplar::Type outputType,
                             double tolerance, poplar::program::Sequence& prog,
                             const DebugContext& debugContext) {
  if (input.elementType() != poplar::FLOAT || outputType != poplar::HALF ||
      input.numElements() != 1)
    throw poputil::poplibs_error("checkAccuracyWhenCast: takes one FLOAT, cast to HALF");
  namespace pe = popops::expr;
  const auto rounded = cast(graph, cast(graph, input, outputType, prog, debugContext),
                            poplar::FLOAT, prog, debugContext);
  return map(graph, pe::Abs(pe::_1 - pe::_2) <= pe::Abs(pe::_1) * static_cast<float>(tolerance),
             {input, rounded}, prog, debugContext);
}

} // namespace popops
