#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

namespace pe = popops::expr;

CircBuf::CircBuf(poplar::Graph& graph, const poplar::Type& dataType, unsigned size,
                 const std::vector<std::size_t>& shape, const poplar::DebugContext& debugContext)
    : graph_(graph), size_(size), shape_(shape) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  index_ = graph.addVariable(poplar::UNSIGNED_INT, {1}, {di, "index"});
  graph.setInitialValue(index_, 0u);
  graph.setTileMapping(index_, 0);
  auto all = shape;
  all.insert(all.begin(), size);
  entries_ = createSliceableTensor(graph, dataType, all, {0}, {1}, 0, {di, "entries"});
}

poplar::Tensor CircBuf::prev(unsigned i, poplar::program::Sequence& seq,
                             const poplar::DebugContext& debugContext) {
  if (i >= size_)
    throw poputil::poplibs_error("CircBuf: entry " + std::to_string(i) + " of a buffer of " +
                                 std::to_string(size_));
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto position =
      i == 0 ? index_
             : map(graph_, pe::Rem(pe::_1 + (size_ - i), pe::Const(size_)), {index_}, seq, {di});
  return dynamicSlice(graph_, entries_, position, {0}, {1}, seq, {di}).reshape(shape_);
}

void CircBuf::add(poplar::Tensor t, poplar::program::Sequence& seq,
                  const poplar::DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  mapInPlace(graph_, pe::Rem(pe::_1 + 1u, pe::Const(size_)), {index_}, seq, {di});
  dynamicUpdate(graph_, entries_, t.expand({0}), index_, {0}, {1}, seq, {di});
}

} // namespace popops
