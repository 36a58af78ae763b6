#include <popops/DynamicSlice.hpp>
#include <popops/Gather.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using Sizes = std::vector<std::size_t>;

Tensor createGatherInput(Graph& graph, const poplar::Type& type, const Sizes& operandShape,
                         unsigned axis, GatherParams, const DebugContext& debugContext) {
  return createSliceableTensor(graph, type, operandShape, {axis}, {1}, 0, debugContext);
}

Tensor createGatherInput(Graph& graph, const poplar::Type& type, const Sizes& inputShape,
                         const Sizes& sliceSizes, std::vector<unsigned> startIndexMap,
                         const DebugContext& debugContext) {
  Sizes dims(startIndexMap.begin(), startIndexMap.end()), sizes;
  for (auto d : dims)
    sizes.push_back(sliceSizes.at(d));
  return createSliceableTensor(graph, type, inputShape, dims, sizes, 0, debugContext);
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, unsigned axis,
              poplar::program::Sequence& prog, GatherParams, const DebugContext& debugContext,
              const poplar::OptionFlags&) {
  if (axis >= input.rank())
    throw poputil::poplibs_error("gather: axis " + std::to_string(axis) + " of a tensor of rank " +
                                 std::to_string(input.rank()));
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto slices = multiSlice(graph, input, indices.flatten().expand({1}), {axis}, {1}, prog,
                                 SlicePlan(), {}, {di});
  // [index][... 1 ...] to [... index ...].
  const auto inPlace = slices.squeeze({axis + 1}).dimRoll(0, axis);
  return inPlace.reshapePartial(axis, axis + 1, indices.shape());
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, std::size_t indexVectorDim,
              const Sizes& offsetDims, const Sizes& sliceSizes, const Sizes& collapsedSliceDims,
              const std::vector<unsigned>& startIndexMap, poplar::program::Sequence& prog,
              const DebugContext& debugContext, const poplar::OptionFlags&) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  auto starts = indexVectorDim == indices.rank() ? indices.expand({indices.rank()}) : indices;
  starts = starts.dimRoll(static_cast<unsigned>(indexVectorDim), starts.rank() - 1);
  auto batchShape = starts.shape();
  batchShape.pop_back();
  starts = starts.reshape({starts.numElements() / startIndexMap.size(), startIndexMap.size()});

  Sizes dims(startIndexMap.begin(), startIndexMap.end()), sizes;
  for (auto d : dims)
    sizes.push_back(sliceSizes.at(d));
  // Dimensions that are not indexed are cut to their size first.
  auto operand = input;
  for (unsigned d = 0; d != input.rank(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end())
      operand = operand.slice(0, sliceSizes.at(d), d);
  auto slices = multiSlice(graph, operand, starts, dims, sizes, prog, SlicePlan(), {}, {di});
  Sizes collapsed;
  for (auto d : collapsedSliceDims)
    collapsed.push_back(d + 1);
  std::sort(collapsed.begin(), collapsed.end());
  slices = slices.squeeze(collapsed).reshapePartial(0, 1, batchShape);

  // Batch dimensions come first now; offset dimensions go to their places.
  std::vector<unsigned> order(slices.rank());
  unsigned batch = 0, offset = static_cast<unsigned>(batchShape.size());
  for (unsigned d = 0; d != order.size(); ++d)
    order[d] =
        std::find(offsetDims.begin(), offsetDims.end(), d) != offsetDims.end() ? offset++ : batch++;
  return slices.dimShuffle(order);
}

} // namespace popops
