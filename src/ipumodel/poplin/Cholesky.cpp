#include "poplin/TriangularBlocks.hpp"

#include <poplin/Cholesky.hpp>
#include <popops/Zero.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

void addFactorVertices(Graph& graph, const Tensor& A, Sequence& prog,
                       const DebugContext& debugContext) {
  const auto cs = graph.addComputeSet({debugContext, "Factorise"});
  const auto type = poputil::templateVertex("poplin::CholeskyBlock", A.elementType());
  for (unsigned group = 0; group != A.dim(0); ++group) {
    const auto v = graph.addVertex(cs, type, {{"a", A[group].flatten()}});
    graph.setInitialValue(v["size"], static_cast<unsigned>(A.dim(1)));
    graph.setTileMapping(v, group % graph.getTarget().getNumTiles());
  }
  prog.add(poplar::program::Execute(cs, debugContext));
}

// A [G][N][N] becomes its lower factor.
void factorise(Graph& graph, const Tensor& A, Sequence& prog, const BlockOptions& options,
               const DebugContext& debugContext) {
  const auto n = A.dim(1);
  if (n <= options.blockSize)
    return addFactorVertices(graph, A, prog, debugContext);
  const auto half = firstBlock(n, options);
  const auto top = A.slice(0, half, 1), bottom = A.slice(half, n, 1);
  const auto A11 = top.slice(0, half, 2), A21 = bottom.slice(0, half, 2),
             A22 = bottom.slice(half, n, 2);
  factorise(graph, A11, prog, options, debugContext);
  // L21 L11^T = A21, in place.
  solveInPlace(graph, A11, A21.dimShuffle({0, 2, 1}), Triangle::Lower, Diagonal::OfMatrix, prog,
               options, debugContext);
  matMulGroupedAcc(graph, A22, -1.0f, A21, A21.dimShuffle({0, 2, 1}), prog,
                   {debugContext, "Update"}, options.matMul);
  factorise(graph, A22, prog, options, debugContext);
  popops::zero(graph, top.slice(half, n, 2), prog, {debugContext, "Zero"});
}

} // namespace

Tensor createCholeskyInput(Graph& graph, const poplar::Type& type,
                           const std::vector<std::size_t>& shape, bool,
                           const DebugContext& debugContext, const OptionFlags& options,
                           PlanningCache*) {
  BlockOptions{options};
  const auto t = graph.addVariable(type, shape, debugContext);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

void choleskyInPlace(Graph& graph, const Tensor& a, bool lower, Sequence& prog,
                     const DebugContext& debugContext, OptionFlags options, PlanningCache*) {
  const auto A = asBatch(a, "cholesky");
  if (!a.isParallelWriteable())
    throw poputil::poplibs_error("choleskyInPlace: the tensor contains constants or the same "
                                 "element twice");
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(a, lower));
  // The upper factor is the lower one, transposed.
  factorise(graph, lower ? A : A.dimShuffle({0, 2, 1}), prog, BlockOptions(options),
            {di, "Cholesky"});
}

Tensor cholesky(Graph& graph, const Tensor& a, bool lower, Sequence& prog,
                const DebugContext& debugContext, OptionFlags options, PlanningCache* cache) {
  asBatch(a, "cholesky");
  poputil::PoplibsOpDebugInfo di(debugContext, DI_ARGS(a, lower));
  const auto factor = poputil::duplicate(graph, a, prog, {di, "factor"});
  choleskyInPlace(graph, factor, lower, prog, {di}, options, cache);
  di.addOutput(factor);
  return factor;
}

std::vector<std::pair<MatMulParams, OptionFlags>>
getCholeskyMatMulPrePlanParameters(const poplar::Type& type, const std::vector<std::size_t>& shape,
                                   bool, OptionFlags options) {
  return blockProducts(
      shape, options, [&](std::size_t groups, std::size_t first, std::size_t rest) {
        return MatMulParams{type, type, {groups, rest, first}, {groups, first, rest}};
      });
}

} // namespace poplin
