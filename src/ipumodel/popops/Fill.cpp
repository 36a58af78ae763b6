#include "popops/ElementWiseVertices.hpp"

#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

template <typename T>
void fill(Graph& graph, Tensor t, const std::vector<Interval>& tileRegions, unsigned tile,
          ComputeSet fillCS, T fillValue) {
  if (t.elementType() == poplar::LONG || t.elementType() == poplar::UNSIGNED_LONG)
    t = t.reinterpret(poplar::LONGLONG);
  const auto flat = t.flatten();
  const auto& target = graph.getTarget();
  const auto type = t.elementType();
  const auto grain = target.getVectorWidth(type);
  const auto sequences = graph.getSortedContiguousRegions(flat, tileRegions);
  if (sequences.empty())
    return;
  if (sequences.size() == 1) {
    const auto v = graph.addVertex(fillCS, poputil::templateVertex("popops::Fill1D", type),
                                   {{"out", poplar::concat(flat.slices(sequences[0]))}});
    graph.setInitialValue(v["in"], fillValue);
    graph.setTileMapping(v, tile);
    return;
  }
  for (const auto& share :
       poputil::splitRegionsBetweenWorkers(target, sequences, grain, 2 * grain)) {
    const auto v = graph.addVertex(fillCS, poputil::templateVertex("popops::Fill2D", type));
    graph.connect(v["out"], flat.slices(share));
    graph.setInitialValue(v["in"], fillValue);
    graph.setTileMapping(v, tile);
  }
}

template <typename T>
void fill(Graph& graph, const Tensor& t, unsigned tile, ComputeSet fillCS, T fillValue) {
  fill(graph, t, {Interval(0, t.numElements())}, tile, fillCS, fillValue);
}

template <typename T>
void fill(Graph& graph, const Tensor& t, const std::vector<std::vector<Interval>>& mapping,
          ComputeSet fillCS, T fillValue) {
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    if (!mapping[tile].empty())
      fill(graph, t, mapping[tile], tile, fillCS, fillValue);
}

template <typename T>
void fill(Graph& graph, const Tensor& t, poplar::program::Sequence& prog, T fillValue,
          const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "Fill"});
  auto flat = t.flatten();
  graph.reorderToSimplify(&flat, {});
  fill(graph, flat, graph.getTileMapping(flat), cs, fillValue);
  prog.add(poplar::program::Execute(cs, {di}));
}

#define POPOPS_INSTANTIATE_FILL(T)                                                                 \
  template void fill<T>(Graph&, Tensor, const std::vector<Interval>&, unsigned, ComputeSet, T);    \
  template void fill<T>(Graph&, const Tensor&, unsigned, ComputeSet, T);                           \
  template void fill<T>(Graph&, const Tensor&, const std::vector<std::vector<Interval>>&,          \
                        ComputeSet, T);                                                            \
  template void fill<T>(Graph&, const Tensor&, poplar::program::Sequence&, T, const DebugContext&);

POPOPS_INSTANTIATE_FILL(float)
POPOPS_INSTANTIATE_FILL(double)
POPOPS_INSTANTIATE_FILL(int)
POPOPS_INSTANTIATE_FILL(unsigned)
POPOPS_INSTANTIATE_FILL(bool)
POPOPS_INSTANTIATE_FILL(short)
POPOPS_INSTANTIATE_FILL(unsigned short)
POPOPS_INSTANTIATE_FILL(char)
POPOPS_INSTANTIATE_FILL(signed char)
POPOPS_INSTANTIATE_FILL(unsigned char)
POPOPS_INSTANTIATE_FILL(long)
POPOPS_INSTANTIATE_FILL(unsigned long)
POPOPS_INSTANTIATE_FILL(long long)
POPOPS_INSTANTIATE_FILL(unsigned long long)

void zero(Graph& graph, Tensor t, const std::vector<Interval>& tileRegions, unsigned tile,
          ComputeSet zeroCS) {
  fill(graph, t, tileRegions, tile, zeroCS, 0);
}
void zero(Graph& graph, const Tensor& t, unsigned tile, ComputeSet zeroCS) {
  fill(graph, t, tile, zeroCS, 0);
}
void zero(Graph& graph, const Tensor& t, const std::vector<std::vector<Interval>>& mapping,
          ComputeSet zeroCS) {
  fill(graph, t, mapping, zeroCS, 0);
}
void zero(Graph& graph, const Tensor& t, poplar::program::Sequence& prog,
          const DebugContext& debugContext) {
  fill(graph, t, prog, 0, debugContext);
}

} // namespace popops
