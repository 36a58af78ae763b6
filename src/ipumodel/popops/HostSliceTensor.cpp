#include <popops/HostSliceTensor.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

namespace {
// A packet to or from the host carries up to this much; smaller parts waste headers.
constexpr unsigned kPacketBytes = 256;
} // namespace

Tensor createHostTransferableTensor(Graph& graph, const poplar::Type& type,
                                    const std::vector<std::size_t>& shape, bool, std::size_t offset,
                                    const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto t = graph.addVariable(type, shape, {di});
  const auto grain = kPacketBytes / static_cast<unsigned>(graph.getTarget().getTypeSize(type));
  poputil::mapTensorLinearlyWithOffset(graph, t, grain, grain, static_cast<unsigned>(offset));
  return t;
}

Tensor createHostTransferableTensor(Graph& graph, const poplar::Type& type,
                                    const std::vector<std::size_t>& shape, bool isRead,
                                    const DebugContext& debugContext) {
  return createHostTransferableTensor(graph, type, shape, isRead, 0, debugContext);
}

IndicesAndTensor createHostSliceableTensor(Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, bool isRead,
                                           const DebugContext& debugContext) {
  if (shape.size() != 2)
    throw poputil::poplibs_error("createHostSliceableTensor: the shape has " +
                                 std::to_string(shape.size()) + " dimensions; it must have 2");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto indices = graph.addVariable(poplar::UNSIGNED_INT, {shape[0]}, {di, "indices"});
  graph.setTileMapping(indices, 0);
  return {indices, createHostTransferableTensor(graph, type, shape, isRead, {di, "tensor"})};
}

} // namespace popops
