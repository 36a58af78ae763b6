#include <popops/Rearrange.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>

#include <numeric>

namespace popops {
namespace rearrange {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

unsigned getMinimumRegroupGrainSize(const poplar::Type& type) {
  // What the transposition codelets of an IPU handle at once.
  return type == poplar::HALF ? 4 : (type == poplar::FLOAT ? 2 : 1);
}

Tensor regroupIfPossible(Graph& graph, const Tensor& t, Sequence& prog,
                         const poputil::GroupingInfo& to, const DebugContext& debugContext) {
  if (t.rank() < 2 || to.first >= t.rank() || to.second < 2 || t.dim(to.first) % to.second != 0)
    return t;
  const auto groups = poputil::detectDimGroupings(graph, t);
  if (!groups.empty() && groups[0].first == to.first && groups[0].second % to.second == 0)
    return t;
  poputil::PoplibsOpDebugInfo di(debugContext);
  // Memory order: everything but the group outside, the group inside.
  const auto split =
      t.reshapePartial(to.first, to.first + 1, {t.dim(to.first) / to.second, to.second})
          .dimRoll(to.first + 1, t.rank());
  const auto grouped = graph.addVariable(t.elementType(), split.shape(), {di, "regrouped"});
  poputil::mapTensorLinearly(graph, grouped, to.second, to.second);
  prog.add(poplar::program::Copy(split, grouped, false, {di}));
  return grouped.dimRoll(t.rank(), to.first + 1).flatten(to.first, to.first + 2);
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, const Tensor& ref, Sequence& prog,
                           const DebugContext& debugContext) {
  if (in.rank() < 2 || in.shape() != ref.shape())
    return in;
  const auto wanted = poputil::detectDimGroupings(graph, ref);
  const auto given = poputil::detectDimGroupings(graph, in);
  if (wanted.empty() || (!given.empty() && given[0].first == wanted[0].first))
    return in;
  return regroupIfPossible(graph, in, prog, wanted[0], debugContext);
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, std::size_t preferredGrouping,
                           Sequence& prog, const DebugContext& debugContext) {
  if (in.rank() < 2)
    return in;
  const auto inner = in.rank() - 1;
  const auto group = static_cast<unsigned>(std::gcd(preferredGrouping, in.dim(inner)));
  const auto current = poputil::detectInnermostGrouping(graph, in);
  if (group < getMinimumRegroupGrainSize(in.elementType()) || current % group == 0)
    return in;
  return regroupIfPossible(graph, in, prog, {inner, group}, debugContext);
}

} // namespace rearrange
} // namespace popops
