#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/EncodingConstants.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <limits>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
namespace pe = expr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void check(const Tensor& params, const Tensor& indices, const char* name) {
  if (params.rank() != 2 || indices.rank() != 1 || params.dim(0) != indices.dim(0))
    throw poputil::poplibs_error(std::string(name) + ": params of shape " + params.shapeToString() +
                                 " need an index for each row, not " + indices.shapeToString());
  if (indices.elementType() != poplar::UNSIGNED_INT)
    throw poputil::poplibs_error(std::string(name) + ": indices are UNSIGNED_INT, not " +
                                 indices.elementType().toString().cloneAsString());
}

} // namespace

Tensor selectScalarFromRows(Graph& graph, const Tensor& params, const Tensor& indices,
                            poplar::program::Sequence& prog, const DebugContext& debugContext) {
  check(params, indices, "selectScalarFromRows");
  poputil::PoplibsOpDebugInfo di(debugContext);
  // An index out of range gives 0 here.
  const auto picked = groupedMultiSlice(graph, params.expand({2}), indices.expand({1, 1}), {0}, {1},
                                        prog, SlicePlan(), {}, {di, "select"})
                          .flatten();
  const auto width = static_cast<unsigned>(params.dim(1));
  return map(graph,
             pe::Select(pe::_1, pe::Const(kNaN),
                        pe::_2 < pe::Const(width) || pe::_2 == pe::Const(MASKED_LABEL_CODE)),
             {picked, indices}, prog, {di, "check"});
}

void updateScalarInRows(Graph& graph, const Tensor& params, const Tensor& indices,
                        poplar::program::Sequence& program, const DebugContext& debugContext) {
  check(params, indices, "updateScalarInRows");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto ones = graph.clone(params, {di, "ones"});
  encodeOneHot(graph, indices, ones, program, {di, "ones"});
  const auto width = static_cast<unsigned>(params.dim(1));
  mapInPlace(graph,
             pe::Select(pe::_1 - pe::_2, pe::Const(kNaN),
                        pe::_3 < pe::Const(width) || pe::_3 == pe::Const(MASKED_LABEL_CODE)),
             {params, ones, indices.expand({1})}, program, {di, "update"});
}

} // namespace popops
