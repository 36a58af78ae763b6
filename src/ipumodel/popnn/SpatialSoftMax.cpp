#include <poplin/MatMul.hpp>
#include <poplin/MeshGrid.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/SpatialSoftMax.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace popnn {

using poplar::Tensor;

std::pair<Tensor, Tensor> spatialSoftMax2D(poplar::Graph& graph, poplar::program::Sequence& prog,
                                           const Tensor& fields, float temperature,
                                           bool disableSoftmax,
                                           const poplar::DebugContext& debugContext) {
  if (fields.rank() != 3)
    throw poputil::poplibs_error("spatialSoftMax2D: the fields have shape " +
                                 fields.shapeToString() + "; three dimensions are needed");
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(fields, temperature, disableSoftmax));
  const auto type = fields.elementType();
  const auto divisor = graph.addVariable(type, {}, {di, "temperature"});
  graph.setInitialValue(divisor, temperature);
  graph.setTileMapping(divisor, 0);
  auto weights = popops::div(graph, fields, divisor, prog, {di, "scaled"}).flatten();
  if (!disableSoftmax)
    softmaxStableInPlace(graph, weights, prog, {di, "softmax"});

  // One product gives both coordinates of all fields: [F, H * W] x [H * W, 2].
  const auto x = poplin::linspace(graph, type, -1, 1, fields.dim(2), {di, "x"});
  const auto y = poplin::linspace(graph, type, -1, 1, fields.dim(1), {di, "y"});
  const auto grid = poplin::meshgrid2d(graph, x, y);
  const auto coordinates =
      poplar::concat(grid[1].flatten().expand({1}), grid[0].flatten().expand({1}), 1);
  const auto expected = poplin::matMul(graph, weights.reshape({fields.dim(0), coordinates.dim(0)}),
                                       coordinates, prog, {di, "expected"});
  di.addOutput(expected);
  return {expected, divisor};
}

} // namespace popnn
