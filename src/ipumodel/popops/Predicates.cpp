// Properties of all elements of a tensor.
#include <popops/AllTrue.hpp>
#include <popops/ElementWise.hpp>
#include <popops/NaN.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::Tensor;

Tensor allTrue(poplar::Graph& graph, Tensor A, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext) {
  if (A.elementType() != poplar::BOOL)
    throw poputil::poplibs_error("allTrue: the tensor has type " +
                                 A.elementType().toString().cloneAsString() + "; it must be bool");
  return reduce(graph, A.flatten(), {0}, Operation::LOGICAL_AND, prog, debugContext);
}

Tensor hasNaN(poplar::Graph& graph, const Tensor& src, bool orInf, poplar::program::Sequence& prog,
              const poplar::DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto bad = orInf ? logicalNot(graph, isFinite(graph, src, prog, {di}), prog, {di})
                         : isNaN(graph, src, prog, {di});
  return reduce(graph, bad.flatten(), {0}, Operation::LOGICAL_OR, prog, {di});
}

Tensor hasNaN(poplar::Graph& graph, const Tensor& src, poplar::program::Sequence& prog,
              const poplar::DebugContext& debugContext) {
  return hasNaN(graph, src, false, prog, debugContext);
}

Tensor hasNaNOrInf(poplar::Graph& graph, const Tensor& src, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext) {
  return hasNaN(graph, src, true, prog, debugContext);
}

} // namespace popops
