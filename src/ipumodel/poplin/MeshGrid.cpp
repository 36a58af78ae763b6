#include <poplin/MeshGrid.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {

poplar::Tensor linspace(poplar::Graph& graph, const poplar::Type& type, float left, float right,
                        std::size_t count, const poplar::DebugContext& debugContext) {
  if (type != poplar::FLOAT && type != poplar::HALF)
    throw poputil::poplibs_error("linspace: " + type.toString().cloneAsString() +
                                 " is not supported; FLOAT and HALF are");
  if (count == 0 || (count == 1 && left != right))
    throw poputil::poplibs_error("linspace: no " + std::to_string(count) + " numbers from " +
                                 std::to_string(left) + " to " + std::to_string(right));
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::vector<float> values(count, left);
  const double step = count > 1 ? (static_cast<double>(right) - left) / double(count - 1) : 0.0;
  for (std::size_t i = 0; i != count; ++i)
    values[i] = static_cast<float>(left + static_cast<double>(i) * step);
  values.back() = right;
  const auto t = graph.addConstant<float>(type, {count}, values, {di, "linspace"});
  poputil::mapTensorLinearly(graph, t);
  return t;
}

std::vector<poplar::Tensor> meshgrid2d(poplar::Graph&, poplar::Tensor x, poplar::Tensor y) {
  if (x.rank() != 1 || y.rank() != 1)
    throw poputil::poplibs_error("meshgrid2d: two vectors are needed, not tensors of shapes " +
                                 x.shapeToString() + " and " + y.shapeToString());
  const auto columns = static_cast<unsigned>(x.dim(0)), rows = static_cast<unsigned>(y.dim(0));
  return {x.expand({0}).broadcast(rows, 0), y.expand({1}).broadcast(columns, 1)};
}

} // namespace poplin
