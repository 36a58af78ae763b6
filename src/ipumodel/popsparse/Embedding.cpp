#include "popsparse/SparseGraph.hpp"

#include <popops/Encoding.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <popsparse/Embedding.hpp>

namespace popsparse {
namespace dynamic {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

// [rows of the sparse matrix][indices]: column i has a 1 at indices[i]. Slices and updates are then
// products with it.
Tensor selection(Graph& graph, const poplar::Type& type, const Tensor& indices, std::size_t rows,
                 Sequence& prog, const DebugContext& debugContext) {
  if (indices.rank() != 1)
    throw poputil::poplibs_error("popsparse: indices of shape " + indices.shapeToString() +
                                 "; one dimension is legal");
  const auto encoded = graph.addVariable(type, {indices.numElements(), rows}, debugContext);
  poputil::mapTensorLinearly(graph, encoded);
  popops::encodeOneHot(graph, indices, encoded, prog, debugContext);
  return encoded.transpose();
}

} // namespace

Tensor createIndicesTensor(Graph& graph, const FullyConnectedParams&, std::size_t numIndices,
                           const OptionFlags&, const DebugContext& debugContext) {
  const auto t = graph.addVariable(poplar::UNSIGNED_INT, {numIndices}, debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

Tensor createSliceTensor(Graph& graph, const poplar::Type& dataType,
                         const FullyConnectedParams& params, std::size_t numIndices,
                         const DebugContext& debugContext, const OptionFlags& options,
                         PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto plan = planSparse(graph.getTarget(), dataType, params, options);
  return createDense(graph, dataType, plan, Sparse::AsIs, numIndices, {di}).transpose();
}

Tensor embeddingSlice(Graph& graph, const SparseTensor& t, const Tensor& indices, Sequence& prog,
                      const FullyConnectedParams& params, const DebugContext& debugContext,
                      const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto type = t.getNzValuesTensor().elementType();
  const auto plan = planSparse(graph.getTarget(), type, params, options);
  const auto chosen = selection(graph, type, indices, plan.shape.rows, prog, {di, "selection"});
  const auto out =
      multiplySparse(graph, plan, t, chosen, Sparse::Transposed, prog, {di, "EmbeddingSlice"});
  return inType(graph, out, type, prog, {di}).transpose();
}

void embeddingUpdateAdd(Graph& graph, const SparseTensor& t, const Tensor& slices,
                        const Tensor& indices, const Tensor& scale, Sequence& prog,
                        const FullyConnectedParams& params, const DebugContext& debugContext,
                        const OptionFlags& options, PlanningCache*) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto type = t.getNzValuesTensor().elementType();
  const auto plan = planSparse(graph.getTarget(), type, params, options);
  const auto chosen = selection(graph, type, indices, plan.shape.rows, prog, {di, "selection"});
  const auto update = sparseGradient(graph, plan, t.getMetaInfoTensor(), chosen, slices.transpose(),
                                     prog, {di, "EmbeddingUpdate"});
  popops::scaledAddTo(graph, t.getNzValuesTensor(), inType(graph, update, type, prog, {di}), scale,
                      prog, {di});
}

} // namespace dynamic
} // namespace popsparse
