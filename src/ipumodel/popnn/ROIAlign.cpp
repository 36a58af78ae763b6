#include <popnn/experimental/ROIAlign.hpp>
#include <popops/Cast.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popnn {
namespace experimental {
namespace {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

void check(const Tensor& maps, const Tensor& regions, const Tensor& images,
           const roiAlignParams& params) {
  const auto type = maps.elementType();
  if ((type != poplar::FLOAT && type != poplar::HALF) || regions.elementType() != type ||
      (images.elementType() != poplar::INT && images.elementType() != poplar::UNSIGNED_INT))
    throw poputil::poplibs_error("roiAlign: maps and regions have to be both FLOAT or both HALF, "
                                 "batch indices INT or UNSIGNED_INT");
  if (maps.rank() != 4 || regions.rank() != 2 || regions.dim(1) != 4 || images.rank() != 1 ||
      images.dim(0) != regions.dim(0))
    throw poputil::poplibs_error("roiAlign: maps " + maps.shapeToString() + ", regions " +
                                 regions.shapeToString() + " and batch indices " +
                                 images.shapeToString() + " do not fit together");
  if (params.samplingRatio_ == 0)
    throw poputil::poplibs_error("roiAlign: a bin without points");
}

// Shares channels out over the tiles, and where there are more tiles than channels regions too; but
// not for gradients, which regions add up.
void addVertices(Graph& graph, const Tensor& maps, const Tensor& bins, const Tensor& regions,
                 const Tensor& images, const roiAlignParams& params, bool isGradient,
                 Sequence& prog, const poplar::DebugContext& debugContext) {
  const auto cs = graph.addComputeSet({debugContext, "RoiAlign"});
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const auto channels = maps.dim(1), numRegions = regions.dim(0);
  const auto channelParts = std::min(channels, tiles);
  const auto regionParts =
      isGradient ? 1 : std::max<std::size_t>(1, std::min(numRegions, tiles / channelParts));
  const auto part = [](std::size_t n, std::size_t parts, std::size_t i) {
    return poplar::Interval(n * i / parts, n * (i + 1) / parts);
  };
  const auto indices = images.elementType() == poplar::INT
                           ? images
                           : popops::cast(graph, images, poplar::INT, prog, debugContext);
  for (std::size_t c = 0; c != channelParts; ++c)
    for (std::size_t r = 0; r != regionParts; ++r) {
      const auto tile = static_cast<unsigned>(c * regionParts + r);
      const auto own = part(channels, channelParts, c), rows = part(numRegions, regionParts, r);
      const auto ownMaps = maps.slice(own, 1), ownBins = bins.slice(rows).slice(own, 1);
      graph.setTileMapping(isGradient ? ownMaps : ownBins, tile);
      const auto v = graph.addVertex(
          cs, poputil::templateVertex("popnn::RoiAlign", regions.elementType(), isGradient),
          {{"maps", ownMaps.flatten()},
           {"bins", ownBins.flatten()},
           {"regions", regions.slice(rows).flatten()},
           {"images", indices.slice(rows)}});
      const auto set = [&](const char* field, std::size_t value) {
        graph.setInitialValue(v[field], static_cast<unsigned>(value));
      };
      set("channels", own.size());
      set("height", maps.dim(2));
      set("width", maps.dim(3));
      set("binRows", params.alignedHeight_);
      set("binColumns", params.alignedWidth_);
      set("ratio", params.samplingRatio_);
      graph.setInitialValue(v["aligned"], params.aligned_);
      graph.setInitialValue(v["scale"], params.spatialScale_);
      graph.setTileMapping(v, tile);
    }
  prog.add(poplar::program::Execute(cs, debugContext));
}

} // namespace

Tensor roiAlignFwd(Graph& graph, Sequence& prog, Tensor& bottomData, Tensor& bottomRois,
                   Tensor& bottomBatchIndex, const roiAlignParams& params,
                   const poplar::DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  check(bottomData, bottomRois, bottomBatchIndex, params);
  const auto out = graph.addVariable(
      bottomData.elementType(),
      {bottomRois.dim(0), bottomData.dim(1), params.alignedHeight_, params.alignedWidth_},
      {di, "pooled"});
  addVertices(graph, bottomData, out, bottomRois, bottomBatchIndex, params, false, prog, {di});
  return out;
}

Tensor roiAlignInputGradient(Graph& graph, Sequence& prog, Tensor& bottomData, Tensor& bottomRois,
                             Tensor& bottomBatchIndex, Tensor& topDataGrad,
                             const roiAlignParams& params,
                             const poplar::DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  check(bottomData, bottomRois, bottomBatchIndex, params);
  const std::vector<std::size_t> shape{bottomRois.dim(0), bottomData.dim(1), params.alignedHeight_,
                                       params.alignedWidth_};
  if (topDataGrad.shape() != shape || topDataGrad.elementType() != bottomData.elementType())
    throw poputil::poplibs_error("roiAlignInputGradient: a gradient of shape " +
                                 topDataGrad.shapeToString() + " does not fit");
  const auto sums = graph.addVariable(poplar::FLOAT, bottomData.shape(), {di, "gradient"});
  addVertices(graph, sums, topDataGrad, bottomRois, bottomBatchIndex, params, true, prog, {di});
  return bottomData.elementType() == poplar::FLOAT
             ? sums
             : popops::cast(graph, sums, bottomData.elementType(), prog, {di});
}

} // namespace experimental
} // namespace popnn
