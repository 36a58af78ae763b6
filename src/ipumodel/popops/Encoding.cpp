#include <popops/Encoding.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog,
                  const Tensor& on, const Tensor& off, const DebugContext& debugContext) {
  if (encoded.rank() != 2 || indices.numElements() != encoded.dim(0))
    throw poputil::poplibs_error("encodeOneHot: indices of shape " + indices.shapeToString() +
                                 ", rows of shape " + encoded.shapeToString());
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto name =
      poputil::templateVertex("popops::OneHot", indices.elementType(), encoded.elementType());
  const auto cs = graph.addComputeSet({di, "OneHot"});
  const auto rowSize = encoded.dim(1);
  const auto flat = encoded.flatten(), codes = indices.flatten();
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile]) {
      const auto v = graph.addVertex(
          cs, name,
          {{"indices", codes.slice(region.begin() / rowSize, (region.end() - 1) / rowSize + 1)},
           {"out", flat.slice(region)},
           {"on", on.reshape({})},
           {"off", off.reshape({})}});
      graph.setInitialValue(v["start"], static_cast<unsigned>(region.begin() % rowSize));
      graph.setInitialValue(v["rowSize"], static_cast<unsigned>(rowSize));
      graph.setTileMapping(v, tile);
    }
  prog.add(poplar::program::Execute(cs, {di}));
}

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog,
                  const DebugContext& debugContext) {
  const auto on = graph.addConstant(encoded.elementType(), {}, 1, debugContext);
  const auto off = graph.addConstant(encoded.elementType(), {}, 0, debugContext);
  graph.setTileMapping(on, 0);
  graph.setTileMapping(off, 0);
  encodeOneHot(graph, indices, encoded, prog, on, off, debugContext);
}

namespace {

template <typename T>
void addIota(Graph& graph, const Tensor& t, T start, Sequence& prog,
             const DebugContext& debugContext) {
  if (t.rank() != 1)
    throw poputil::poplibs_error("iota: the tensor has shape " + t.shapeToString() +
                                 "; it must have one dimension");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "Iota"});
  const auto mapping = graph.getTileMapping(t);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile]) {
      const auto v = graph.addVertex(cs, poputil::templateVertex("popops::Iota", t.elementType()),
                                     {{"out", t.slice(region)}});
      graph.setInitialValue(v["first"], static_cast<T>(start + static_cast<T>(region.begin())));
      graph.setTileMapping(v, tile);
    }
  prog.add(poplar::program::Execute(cs, {di}));
}

} // namespace

void iota(Graph& graph, const Tensor& t, unsigned startInteger, Sequence& prog,
          const DebugContext& debugContext) {
  addIota(graph, t, startInteger, prog, debugContext);
}
void iota(Graph& graph, const Tensor& t, int startInteger, Sequence& prog,
          const DebugContext& debugContext) {
  addIota(graph, t, startInteger, prog, debugContext);
}
void iota(Graph& graph, const Tensor& t, float startValue, Sequence& prog,
          const DebugContext& debugContext) {
  addIota(graph, t, startValue, prog, debugContext);
}

} // namespace popops
