#include <popops/HostSliceTensor.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

namespace {

// A tile exchanges at least this much with the host; smaller parts waste headers.
constexpr std::size_t kPacketBytes = 1024;

// Whole packets to one tile after another from `offset` on, the first ones getting what is left.
// Rows start on tiles of their own as long as there are enough.
void mapByPackets(Graph& graph, const Tensor& rows, std::size_t offset) {
  const std::size_t numTiles = graph.getTarget().getNumTiles();
  const std::size_t packet = kPacketBytes / graph.getTarget().getTypeSize(rows.elementType());
  const std::size_t packetsOfRow = (rows.dim(1) + packet - 1) / packet;
  const bool hasTilesForRows = rows.dim(0) * packetsOfRow <= numTiles;
  const auto parts = hasTilesForRows ? rows : rows.reshape({1, rows.numElements()});
  const std::size_t packets = (parts.dim(1) + packet - 1) / packet;
  const std::size_t tiles = std::min(packets, numTiles);
  for (std::size_t row = 0; row != parts.dim(0); ++row)
    for (std::size_t i = 0, begin = 0; i != tiles; ++i) {
      const std::size_t share = (packets / tiles + (i < packets % tiles)) * packet;
      const std::size_t end = std::min(begin + share, parts.dim(1));
      graph.setTileMapping(parts[row].slice(begin, end),
                           static_cast<unsigned>((offset + row * tiles + i) % numTiles));
      begin = end;
    }
}

// The tile of the first element.
unsigned tileOf(const Graph& graph, const Tensor& t) {
  const auto mapping = graph.getTileMapping(t.flatten().slice(0, 1));
  const auto found = std::find_if(mapping.begin(), mapping.end(),
                                  [](const auto& regions) { return !regions.empty(); });
  return static_cast<unsigned>(found - mapping.begin());
}

} // namespace

Tensor createHostTransferableTensor(Graph& graph, const poplar::Type& type,
                                    const std::vector<std::size_t>& shape, bool, std::size_t offset,
                                    const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto t = graph.addVariable(type, shape, {di});
  mapByPackets(graph, t.flatten().expand({0}), offset);
  return t;
}

Tensor createHostTransferableTensor(Graph& graph, const poplar::Type& type,
                                    const std::vector<std::size_t>& shape, bool isRead,
                                    const DebugContext& debugContext) {
  return createHostTransferableTensor(graph, type, shape, isRead, 0, debugContext);
}

IndicesAndTensor createHostSliceableTensor(Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, bool,
                                           const DebugContext& debugContext) {
  if (shape.size() != 2)
    throw poputil::poplibs_error("createHostSliceableTensor: the shape has " +
                                 std::to_string(shape.size()) + " dimensions; it must have 2");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto tensor = graph.addVariable(type, shape, {di, "tensor"});
  const auto indices = graph.addVariable(poplar::UNSIGNED_INT, {shape[0]}, {di, "indices"});
  mapByPackets(graph, tensor, 0);
  for (std::size_t row = 0; row != shape[0]; ++row)
    graph.setTileMapping(indices[row], shape[1] ? tileOf(graph, tensor[row]) : 0);
  return {indices, tensor};
}

} // namespace popops
