// Clones that keep, move or follow the tile mapping of another tensor.
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <tuple>

namespace poputil {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

namespace {

// What a copy to `clone`, whose aliases are those of `t`, must move: every element of it once.
std::pair<Tensor, Tensor> withoutRepeatedWrites(const Graph& graph, const Tensor& t,
                                                const Tensor& clone) {
  const Tensor source = t.flatten();
  const Tensor destination = clone.flatten();
  if (!clone.containsAliases())
    return {source, destination};
  std::vector<poplar::Interval> once;
  for (const auto& region :
       graph.getSortedContiguousRegions(destination, {{0, destination.numElements()}}, true))
    once.insert(once.end(), region.begin(), region.end());
  return {poplar::concat(source.slices(once)), poplar::concat(destination.slices(once))};
}

} // namespace

Tensor cloneToIpu(Graph& graph, const Tensor& t, unsigned dstIPU, const DebugContext& debugContext,
                  poplar::TensorCloneMethod method) {
  const auto& target = graph.getTarget();
  if (dstIPU >= target.getNumIPUs())
    throw poplibs_error("cloneToIpu: IPU " + std::to_string(dstIPU) + " is not one of the " +
                        std::to_string(target.getNumIPUs()) + " of the graph");
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t, dstIPU));
  const auto tilesPerIPU = target.getTilesPerIPU();
  auto clone = graph.clone(t, {di}, method);
  const auto mapping = graph.getTileMapping(t);
  Graph::TileToTensorMapping moved(mapping.size());
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    auto& regions = moved[dstIPU * tilesPerIPU + tile % tilesPerIPU];
    regions.insert(regions.end(), mapping[tile].begin(), mapping[tile].end());
  }
  graph.setTileMapping(clone, moved);
  return clone;
}

Tensor cloneToGraph(Graph& srcGraph, Graph& dstGraph, const Tensor& t,
                    const DebugContext& debugContext, poplar::TensorCloneMethod method) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t));
  auto mapping = srcGraph.getTileMapping(t);
  const auto numTiles = dstGraph.getTarget().getNumTiles();
  for (std::size_t tile = numTiles; tile < mapping.size(); ++tile)
    if (!mapping[tile].empty())
      throw poplibs_error("cloneToGraph: the tensor uses tile " + std::to_string(tile) +
                          ", the destination graph has " + std::to_string(numTiles) + " tiles");
  mapping.resize(numTiles);
  auto clone = srcGraph.clone(t, {di}, method);
  dstGraph.setTileMapping(clone, mapping);
  return clone;
}

std::pair<Tensor, unsigned> cloneAndExpandAliasing(Graph& graph, const Tensor& t, unsigned offset,
                                                   const DebugContext& debugContext) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t, offset));
  if (!t.containsAliases())
    return {graph.clone(t, {di}), offset};
  auto clone = graph.addVariable(t.elementType(), t.shape(), {di});
  auto mappingAndOffset = calcLinearTileMappingAndNewOffset(graph, clone, offset);
  graph.setTileMapping(clone, mappingAndOffset.first);
  return {clone, mappingAndOffset.second};
}

Tensor copyToIpu(Graph& masterGraph, const Tensor& t, poplar::program::Sequence& prog,
                 unsigned dstIPU, const DebugContext& debugContext,
                 poplar::TensorCloneMethod method) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t, dstIPU));
  Tensor source, destination;
  auto clone = createIpuCopy(masterGraph, t, dstIPU, source, destination, {di}, method);
  prog.add(poplar::program::Copy(source, destination, false, {di}));
  return clone;
}

Tensor createIpuCopy(Graph& masterGraph, const Tensor& t, unsigned dstIpu, Tensor& copySrc,
                     Tensor& copyDst, const DebugContext& debugContext,
                     poplar::TensorCloneMethod method) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t, dstIpu));
  auto clone = cloneToIpu(masterGraph, t, dstIpu, {di}, method);
  std::tie(copySrc, copyDst) = withoutRepeatedWrites(masterGraph, t, clone);
  masterGraph.reorderToSimplify(&copyDst, {&copySrc});
  return clone;
}

Tensor duplicate(Graph& graph, const Tensor& in, poplar::program::Sequence& p,
                 const DebugContext& debugContext, poplar::TensorCloneMethod method) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(in));
  const auto copy = graph.clone(in, {di}, method);
  const auto [source, destination] = withoutRepeatedWrites(graph, in, copy);
  p.add(poplar::program::Copy(source, destination, false, {di}));
  return copy;
}

Tensor createBroadcastOperand(Graph& graph, const Tensor& fullTensor, const poplar::Type& type,
                              unsigned dim, bool ditherMapping, const DebugContext& debugContext) {
  if (dim >= fullTensor.rank())
    throw poplibs_error("createBroadcastOperand: dimension " + std::to_string(dim) +
                        " of a tensor of rank " + std::to_string(fullTensor.rank()));
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(fullTensor, type, dim, ditherMapping));
  const auto slices = fullTensor.dimRoll(dim, 0);
  const auto numSlices = slices.dim(0);
  const auto sliceSize = numSlices ? slices.numElements() / numSlices : 0;
  auto out = graph.addVariable(type, {numSlices}, {di});

  std::vector<std::vector<unsigned>> users(numSlices);
  const auto mapping = graph.getTileMapping(slices);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile])
      if (region.size() != 0)
        for (auto i = region.begin() / sliceSize; i <= (region.end() - 1) / sliceSize; ++i)
          if (users[i].empty() || users[i].back() != tile)
            users[i].push_back(tile);

  std::vector<std::size_t> load(mapping.size());
  const auto shift =
      ditherMapping ? chooseMappingOffset(mapping.size(), fullTensor.shape()) : std::size_t{0};
  for (std::size_t i = 0; i != numSlices; ++i) {
    if (users[i].empty()) {
      graph.setTileMapping(out[i], 0);
      continue;
    }
    std::rotate(users[i].begin(),
                users[i].begin() + static_cast<std::ptrdiff_t>(shift % users[i].size()),
                users[i].end());
    const auto tile = *std::min_element(users[i].begin(), users[i].end(),
                                        [&](auto a, auto b) { return load[a] < load[b]; });
    ++load[tile];
    graph.setTileMapping(out[i], tile);
  }
  return out;
}

} // namespace poputil
