#include "popops/SliceLayout.hpp"

#include <popops/DynamicSlice.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

void checkOptions(const OptionFlags& options) {
  bool remap = false, padding = false;
  const poplibs::OptionSpec spec{
      {"remapOutOfBoundIndices", poplibs::OptionHandler::createWithBool(remap)},
      {"paddingIndexUsed", poplibs::OptionHandler::createWithBool(padding)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
}

void checkArguments(const char* function, const Tensor& t, const Tensor& offset, const Sizes& dims,
                    const Sizes& sizes) {
  const auto type = offset.elementType();
  if (type != poplar::UNSIGNED_INT && type != poplar::INT)
    throw poputil::poplibs_error(std::string(function) + ": offsets of type " +
                                 type.toString().cloneAsString() +
                                 "; INT or UNSIGNED_INT are legal");
  if (dims.size() != sizes.size() || offset.rank() < 1 || offset.dim(0) != dims.size())
    throw poputil::poplibs_error(std::string(function) + ": " + std::to_string(dims.size()) +
                                 " dimensions, " + std::to_string(sizes.size()) +
                                 " sizes, offsets of shape " + offset.shapeToString());
  for (std::size_t i = 0; i != dims.size(); ++i)
    if (dims[i] >= t.rank() || sizes[i] > t.dim(static_cast<unsigned>(dims[i])))
      throw poputil::poplibs_error(std::string(function) + ": size " + std::to_string(sizes[i]) +
                                   " in dimension " + std::to_string(dims[i]) +
                                   " of a tensor of shape " + t.shapeToString());
}

// A row of offsets may hold one for each tile, which saves the exchange.
Tensor offsetFor(const Tensor& offsets, unsigned tile) {
  const auto flat = offsets.flatten().reinterpret(poplar::UNSIGNED_INT);
  return flat[flat.numElements() > tile ? (flat.numElements() == 1 ? 0 : tile) : 0];
}

std::string vertexName(const std::string& base, RowAccess access, const poplar::Type& type) {
  return poputil::templateVertex("popops::" + base + (access == RowAccess::Matrix ? "1D" : "2D"),
                                 type);
}

// The result of a slice in one dimension, on the tiles of the columns.
Tensor createOutput(Graph& graph, const Tensor& t, std::size_t dim, std::size_t size,
                    const DebugContext& debugContext) {
  const auto d = static_cast<unsigned>(dim);
  auto shape = t.dimRoll(d, 0).shape();
  shape[0] = size;
  return createByColumns(graph, t.elementType(), size, columnsByTile(graph, asRows(t, dim)),
                         debugContext)
      .reshape(shape)
      .dimRoll(0, d);
}

void sliceOneDim(Graph& graph, const Tensor& out, const Tensor& t, const Tensor& offset,
                 std::size_t dim, Sequence& prog, const DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  const auto base = asWords(graph, asRows(t, dim)), rows = asWords(graph, asRows(out, dim));
  for (const auto& columns : columnsByTile(graph, base)) {
    const auto access = rowAccess(base, columns);
    const auto v = graph.addVertex(cs, vertexName("DynamicSlice", access, base.elementType()));
    graph.setTileMapping(v, columns.tile);
    graph.connect(v["offset"], offsetFor(offset, columns.tile));
    connectRows(graph, v, "base", base, columns, access);
    connectRows(graph, v, "out", rows, columns, access);
    setRowShape(graph, v, columns, access);
  }
  prog.add(poplar::program::Execute(cs, debugContext));
}

void updateOneDim(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset,
                  std::size_t dim, Sequence& prog, const DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  const auto base = asWords(graph, asRows(t, dim)), rows = asWords(graph, asRows(s, dim));
  for (const auto& columns : columnsByTile(graph, base)) {
    const auto access = rowAccess(base, columns);
    const auto v = graph.addVertex(cs, vertexName("DynamicUpdate", access, base.elementType()));
    graph.setTileMapping(v, columns.tile);
    graph.connect(v["offset"], offsetFor(offset, columns.tile));
    connectRows(graph, v, "base", base, columns, access);
    connectRows(graph, v, "in", rows, columns, access);
    setRowShape(graph, v, columns, access);
  }
  prog.add(poplar::program::Execute(cs, debugContext));
}

// The order of the dimensions in which later slices have least left to do.
Sizes mostReducedFirst(const Tensor& t, const Sizes& dims, const Sizes& sizes) {
  Sizes order(dims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] * t.dim(static_cast<unsigned>(dims[b])) <
           sizes[b] * t.dim(static_cast<unsigned>(dims[a]));
  });
  return order;
}

} // namespace

Tensor dynamicSlice(Graph& graph, const Tensor& t, const Tensor& offset, const Sizes& dims,
                    const Sizes& sizes, Sequence& prog, const DebugContext& debugContext,
                    const OptionFlags& options) {
  checkOptions(options);
  checkArguments("dynamicSlice", t, offset, dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  auto slice = t;
  for (const auto i : mostReducedFirst(t, dims, sizes)) {
    const auto out = createOutput(graph, slice, dims[i], sizes[i], {di, "slice"});
    sliceOneDim(graph, out, slice, offset[i], dims[i], prog,
                {di, "dynamicSlice_d" + std::to_string(dims[i]) + "/slice"});
    slice = out;
  }
  return slice;
}

void dynamicSliceWithOutput(Graph& graph, const Tensor& output, const Tensor& t,
                            const Tensor& offset, const Sizes& dims, const Sizes& sizes,
                            Sequence& prog, const DebugContext& debugContext,
                            const OptionFlags& options) {
  checkOptions(options);
  checkArguments("dynamicSliceWithOutput", t, offset, dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (dims.size() == 1)
    return sliceOneDim(graph, output, t, offset[0], dims[0], prog, {di, "dynamicSlice"});
  const auto slice = dynamicSlice(graph, t, offset, dims, sizes, prog, {di}, options);
  prog.add(poplar::program::Copy(slice, output, false, {di}));
}

void dynamicUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset,
                   const Sizes& dims, const Sizes& sizes, Sequence& prog,
                   const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkArguments("dynamicUpdate", t, offset, dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (dims.empty()) {
    prog.add(poplar::program::Copy(s, t, false, {di}));
    return;
  }
  if (dims.size() == 1)
    return updateOneDim(graph, t, s, offset[0], dims[0], prog, {di, "dynamicUpdate"});
  // In several dimensions: take out the slice of the first, update it in the others, put it back.
  const Sizes restDims(dims.begin() + 1, dims.end()), restSizes(sizes.begin() + 1, sizes.end());
  const auto slice = dynamicSlice(graph, t, offset.slice(0, 1), {dims[0]}, {sizes[0]}, prog, {di});
  dynamicUpdate(graph, slice, s, offset.slice(1, dims.size()), restDims, restSizes, prog, {di});
  updateOneDim(graph, t, slice, offset[0], dims[0], prog, {di, "dynamicUpdate"});
}

} // namespace popops
