#include "popops/CastQuarter.hpp"

#include <popops/Cast.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

bool involvesQuarter(const poplar::Tensor& src, const poplar::Tensor& dst) {
  return src.elementType() == poplar::QUARTER || dst.elementType() == poplar::QUARTER;
}

// One vertex for each region on a tile: tensors of eight bits are few and large.
void addQuarterCasts(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Tensor& dst,
                     poplar::ComputeSet cs) {
  const bool toQuarter = dst.elementType() == poplar::QUARTER;
  const auto other = toQuarter ? src.elementType() : dst.elementType();
  if (other != poplar::FLOAT && other != poplar::HALF)
    throw poputil::poplibs_error("cast: between QUARTER and " + other.toString() +
                                 " in one compute set");
  const auto metadata = (toQuarter ? dst : src).getMetadata().reinterpret(poplar::UNSIGNED_CHAR);
  const auto bytesOf = [](const poplar::Tensor& t) {
    return t.elementType() == poplar::QUARTER ? t.flatten().reinterpret(poplar::UNSIGNED_CHAR)
                                              : t.flatten();
  };
  const auto from = bytesOf(src), to = bytesOf(dst);
  const auto vertex = poputil::templateVertex(
      toQuarter ? "popops::CastToQuarter" : "popops::CastFromQuarter", other);
  const auto mapping = graph.getTileMapping(to);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile])
      graph.setTileMapping(
          graph.addVertex(
              cs, vertex,
              {{"in", from.slice(region)}, {"out", to.slice(region)}, {"metadata", metadata}}),
          tile);
}

poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& src, const poplar::Type& dstType,
                    const poplar::Tensor& metadata, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext) {
  const auto dst = graph.clone(dstType, metadata, src, {debugContext, "cast"});
  prog.add(cast(graph, src, dst, debugContext));
  return dst;
}

} // namespace popops
