#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Loop.hpp>
#include <popops/Reduce.hpp>
#include <popops/Scatter.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

// [index vectors][dimensions]
Tensor startsOf(const Tensor& indices, std::size_t indexVectorDim, std::size_t numDims) {
  if (indexVectorDim > indices.rank())
    throw poputil::poplibs_error("scatter: indexVectorDim " + std::to_string(indexVectorDim) +
                                 " of indices of shape " + indices.shapeToString());
  auto starts = indexVectorDim == indices.rank() ? indices.expand({indices.rank()}) : indices;
  starts = starts.dimRoll(static_cast<unsigned>(indexVectorDim), starts.rank() - 1);
  if (starts.dim(starts.rank() - 1) != numDims)
    throw poputil::poplibs_error("scatter: indices of shape " + indices.shapeToString() +
                                 " do not hold " + std::to_string(numDims) + " dimensions");
  return starts.reshape({starts.numElements() / numDims, numDims});
}

// [index vectors][window, of the operand's rank]
Tensor windowsOf(const Tensor& updates, const std::vector<unsigned>& windowDims,
                 const Sizes& insertDims, std::size_t numVectors) {
  std::vector<unsigned> order;
  Sizes shape = {numVectors};
  for (unsigned d = 0; d != updates.rank(); ++d)
    if (std::find(windowDims.begin(), windowDims.end(), d) == windowDims.end())
      order.push_back(d);
  for (const auto d : windowDims)
    if (d < updates.rank()) { // updates of single elements may name a dimension they have not
      order.push_back(d);
      shape.push_back(updates.dim(d));
    }
  auto windows = updates.dimShuffle(order);
  windows = windows.reshape(shape);
  auto inserted = insertDims;
  std::sort(inserted.begin(), inserted.end());
  for (const auto d : inserted)
    windows = windows.expand({d + 1});
  return windows;
}

using Combine = std::function<Tensor(Tensor&, Tensor&, Sequence&)>; // empty: the update replaces

void scatterWindows(Graph& graph, const Tensor& operand, const Tensor& starts,
                    const Tensor& windows, const Sizes& dims, const Combine& combine,
                    Sequence& prog, const DebugContext& di) {
  if (windows.rank() != operand.rank() + 1)
    throw poputil::poplibs_error("scatter: windows of rank " + std::to_string(windows.rank() - 1) +
                                 " in a tensor of shape " + operand.shapeToString());
  // Dimensions without an index begin at 0.
  auto target = operand;
  for (unsigned d = 0; d != operand.rank(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end())
      target = target.slice(0, windows.dim(d + 1), d);
  Sizes sizes;
  std::vector<unsigned> lastStarts;
  for (const auto d : dims) {
    sizes.push_back(windows.dim(static_cast<unsigned>(d) + 1));
    if (sizes.back() > operand.dim(static_cast<unsigned>(d)))
      throw poputil::poplibs_error("scatter: a window is larger than the operand along dimension " +
                                   std::to_string(d));
    lastStarts.push_back(
        static_cast<unsigned>(operand.dim(static_cast<unsigned>(d)) - sizes.back()));
  }
  const auto last = graph.addConstant<unsigned>(poplar::UNSIGNED_INT, {dims.size()}, lastStarts,
                                                {di, "lastStarts"});
  graph.setTileMapping(last, 0);
  prog.add(countedLoop(
      graph, starts.dim(0),
      [&](const Tensor& counter) {
        Sequence body, update;
        const auto start = dynamicSlice(graph, starts, counter.flatten(), {0}, {1}, body, di)[0];
        auto window = dynamicSlice(graph, windows, counter.flatten(), {0}, {1}, body, di)[0];
        // As unsigned numbers, negative starts lie beyond the last one.
        const auto fits = reduce(graph, lteq(graph, start, last, body, di), {0},
                                 Operation::LOGICAL_AND, body, di);
        if (combine) {
          auto old = dynamicSlice(graph, target, start, dims, sizes, update, di);
          window = combine(old, window, update);
        }
        dynamicUpdate(graph, target, window, start, dims, sizes, update, di);
        body.add(poplar::program::If(fits, update, Sequence(), di));
        return body;
      },
      di));
}

void scatterWith(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
                 std::size_t indexVectorDim, const std::vector<unsigned>& windowDims,
                 const Sizes& insertDims, const std::vector<unsigned>& operandDims,
                 const Combine& combine, Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto starts =
      startsOf(indices.reinterpret(poplar::UNSIGNED_INT), indexVectorDim, operandDims.size());
  const auto windows = windowsOf(updates, windowDims, insertDims, starts.dim(0));
  scatterWindows(graph, operand, starts, windows, Sizes(operandDims.begin(), operandDims.end()),
                 combine, prog, {di, "scatter"});
}

} // namespace

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             Sizes insertWindowDims, std::vector<unsigned> scatterDimsToOperandDims, Sequence& prog,
             const DebugContext& debugContext, const poplar::OptionFlags&) {
  scatterWith(graph, operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
              scatterDimsToOperandDims, {}, prog, debugContext);
}

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims,
             Sizes insertWindowDims, std::vector<unsigned> scatterDimsToOperandDims,
             UpdateComputationFunc& updateComputation, Sequence& prog,
             const DebugContext& debugContext, const poplar::OptionFlags&) {
  scatterWith(
      graph, operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
      scatterDimsToOperandDims,
      [&](Tensor& old, Tensor& update, Sequence& body) {
        return updateComputation(graph, old, update, body);
      },
      prog, debugContext);
}

} // namespace popops
