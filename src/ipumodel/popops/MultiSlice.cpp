#include "popops/PlannedSlice.hpp"
#include "popops/SliceLayout.hpp"

#include <popops/DynamicSlice.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

enum class UpdateOp : unsigned char { Set, Add, Max }; // as in MultiSliceVertices.hpp

bool isRowLookup(const Sizes& dims, const Sizes& sizes) {
  return dims.size() == 1 && sizes.size() == 1 && sizes[0] == 1;
}

void requireRowLookup(const char* function, const Sizes& dims, const Sizes& sizes) {
  if (!isRowLookup(dims, sizes))
    throw poputil::poplibs_error(std::string(function) +
                                 ": takes one dimension, of which one row is "
                                 "updated at a time");
}

Tensor asOffsets(const Tensor& offsets) {
  if (offsets.elementType() != poplar::UNSIGNED_INT && offsets.elementType() != poplar::INT)
    throw poputil::poplibs_error("multiSlice: offsets must be INT or UNSIGNED_INT");
  return offsets.reinterpret(poplar::UNSIGNED_INT);
}

// Slices with index k first, as the rows of a matrix that lists elements as asRows(t, dim) does.
Tensor slicesAsRows(const Tensor& s, std::size_t dim, std::size_t numColumns) {
  return s.dimRoll(static_cast<unsigned>(dim + 1), 1).reshape({s.dim(0), numColumns});
}

// Slices with index k first: [numIndices][slice], as rows of a matrix.
void sliceRows(Graph& graph, const Tensor& t, const Tensor& out, const Tensor& offsets,
               std::size_t dim, const poplar::ComputeSet& cs) {
  const auto base = asWords(graph, asRows(t, dim));
  const auto rows = asWords(graph, slicesAsRows(out, dim, base.dim(1)));
  for (const auto& columns : columnsByTile(graph, base)) {
    const auto access = rowAccess(base, columns);
    const auto v = graph.addVertex(cs, poputil::templateVertex(access == RowAccess::Matrix
                                                                   ? "popops::MultiSlice1D"
                                                                   : "popops::MultiSlice2D",
                                                               base.elementType()));
    graph.setTileMapping(v, columns.tile);
    graph.connect(v["offsets"], offsets.flatten());
    connectRows(graph, v, "base", base, columns, access);
    connectRows(graph, v, "out", rows, columns, access);
    setRowShape(graph, v, columns, access);
    if (access == RowAccess::Matrix)
      graph.setInitialValue(v["firstRow"], 0u);
  }
}

void requireSameType(const Tensor& t, const Tensor& slices) {
  if (slices.elementType() != t.elementType())
    throw poputil::poplibs_error("multiUpdate: slices of another type than the tensor");
}

void updateRows(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                const Tensor& scale, UpdateOp op, std::size_t dim, const poplar::ComputeSet& cs) {
  requireSameType(t, s);
  const auto base = asRows(t, dim);
  const auto rows = slicesAsRows(s, dim, base.dim(1));
  for (const auto& columns : columnsByTile(graph, base)) {
    const auto access = rowAccess(base, columns);
    const auto v = graph.addVertex(
        cs, poputil::templateVertex(access == RowAccess::Matrix ? "popops::MultiUpdate1D"
                                                                : "popops::MultiUpdate2D",
                                    t.elementType(), scale.elementType()));
    graph.setTileMapping(v, columns.tile);
    graph.connect(v["offsets"], offsets.flatten());
    connectRows(graph, v, "base", base, columns, access);
    connectRows(graph, v, "in", rows, columns, access);
    graph.connect(v["scale"], scale.reshape({}));
    setRowShape(graph, v, columns, access);
    if (access == RowAccess::Matrix)
      graph.setInitialValue(v["firstRow"], 0u);
    graph.setInitialValue(v["op"], static_cast<unsigned char>(op));
  }
}

Tensor noScale(Graph& graph, const Tensor& t, const DebugContext& debugContext) {
  const auto scale = graph.addConstant(t.elementType(), {}, 1, debugContext);
  graph.setTileMapping(scale, 0);
  return scale;
}

bool isPartitioned(const SlicePlan& plan, const Tensor& t, const Tensor& offsets) {
  return !plan.getImpl().partition.cutsColumnsOnly() && t.numElements() && offsets.numElements();
}

// Each group by itself, in one compute set.
void updateGroups(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                  const Tensor& scale, UpdateOp op, std::size_t dim, Sequence& prog,
                  const DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  const auto indices = asOffsets(offsets);
  for (std::size_t g = 0; g != t.dim(0); ++g)
    updateRows(graph, t[g], s[g], indices[g], scale, op, dim, cs);
  prog.add(poplar::program::Execute(cs, debugContext));
}

// One group, as its plan says.
void updateTable(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                 const Tensor& scale, UpdateOp op, std::size_t dim, Sequence& prog,
                 const SlicePlan& plan, const DebugContext& debugContext) {
  if (!isPartitioned(plan, t, offsets)) {
    updateGroups(graph, t.expand({0}), s.expand({0}), offsets.expand({0}), scale, op, dim, prog,
                 debugContext);
    return;
  }
  requireSameType(t, s);
  const auto table = asRows(t, dim);
  updateByPlan(graph, table, slicesAsRows(s, dim, table.dim(1)), asOffsets(offsets), scale,
               static_cast<unsigned char>(op), plan.getImpl().partition, prog, debugContext);
}

} // namespace

Tensor multiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Sizes& dims,
                  const Sizes& sizes, Sequence& prog, const SlicePlan& plan, const OptionFlags&,
                  const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (!isRowLookup(dims, sizes)) {
    std::vector<Tensor> slices;
    for (std::size_t k = 0; k != offsets.dim(0); ++k)
      slices.push_back(dynamicSlice(graph, t, offsets[k], dims, sizes, prog, {di}).expand({0}));
    return poplar::concat(slices);
  }
  if (isPartitioned(plan, t, offsets)) {
    const auto rows = sliceByPlan(graph, asRows(t, dims[0]), asOffsets(offsets),
                                  plan.getImpl().partition, prog, {di});
    return rowsAsSlices(rows, t.shape(), dims[0]);
  }
  const auto out = createSliceTensor(graph, t, dims, sizes, offsets.dim(0), {di});
  const auto cs = graph.addComputeSet({di, "multiSlice"});
  sliceRows(graph, t, out, asOffsets(offsets), dims[0], cs);
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

Tensor multiSlice(Graph& graph, const Tensor& t, poplar::ArrayRef<unsigned> offsets,
                  std::size_t dim, Sequence& prog, const DebugContext& debugContext,
                  const OptionFlags&) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto d = static_cast<unsigned>(dim);
  const auto out = createSliceTensor(graph, t, {dim}, {1}, offsets.size(), {di});
  for (std::size_t k = 0; k != offsets.size(); ++k) {
    if (offsets[k] < t.dim(d)) {
      prog.add(poplar::program::Copy(t.slice(offsets[k], offsets[k] + 1, d), out[k], false, {di}));
      continue;
    }
    const auto zeros = graph.addConstant(t.elementType(), out[k].shape(), 0, {di});
    graph.setTileMapping(zeros, graph.getTileMapping(out[k]));
    prog.add(poplar::program::Copy(zeros, out[k], false, {di}));
  }
  return out;
}

Tensor groupedMultiSlice(Graph& graph, const Tensor& t, const Tensor& offsets, const Sizes& dims,
                         const Sizes& sizes, Sequence& prog, const SlicePlan& plan,
                         const OptionFlags& options, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::vector<Tensor> groups;
  if (!isRowLookup(dims, sizes)) {
    for (std::size_t g = 0; g != t.dim(0); ++g)
      groups.push_back(
          multiSlice(graph, t[g], offsets[g], dims, sizes, prog, plan, options, {di}).expand({0}));
    return poplar::concat(groups);
  }
  const auto cs = graph.addComputeSet({di, "groupedMultiSlice"});
  const auto indices = asOffsets(offsets);
  for (std::size_t g = 0; g != t.dim(0); ++g) {
    const auto out = createSliceTensor(graph, t[g], dims, sizes, offsets.dim(1), {di});
    sliceRows(graph, t[g], out, indices[g], dims[0], cs);
    groups.push_back(out.expand({0}));
  }
  prog.add(poplar::program::Execute(cs, {di}));
  return poplar::concat(groups);
}

void multiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                 const Sizes& dims, const Sizes& sizes, Sequence& prog, const SlicePlan& plan,
                 const OptionFlags&, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (!isRowLookup(dims, sizes)) {
    for (std::size_t k = 0; k != offsets.dim(0); ++k)
      dynamicUpdate(graph, t, s[k], offsets[k], dims, sizes, prog, {di});
    return;
  }
  updateTable(graph, t, s, offsets, noScale(graph, t, {di}), UpdateOp::Set, dims[0], prog, plan,
              {di, "multiUpdate"});
}

void groupedMultiUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                        const Sizes& dims, const Sizes& sizes, Sequence& prog, const SlicePlan&,
                        const OptionFlags&, const DebugContext& debugContext) {
  requireRowLookup("groupedMultiUpdate", dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateGroups(graph, t, s, offsets, noScale(graph, t, {di}), UpdateOp::Set, dims[0], prog,
               {di, "multiUpdate"});
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Tensor& scale, const Sizes& dims, const Sizes& sizes, Sequence& prog,
                    const SlicePlan& plan, const OptionFlags&, const DebugContext& debugContext) {
  requireRowLookup("multiUpdateAdd", dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateTable(graph, t, s, offsets, scale, UpdateOp::Add, dims[0], prog, plan,
              {di, "multiUpdateAdd"});
}

void multiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s,
                    poplar::ArrayRef<unsigned> offsets, const Tensor& scale, std::size_t dim,
                    Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto indices =
      graph.addConstant(poplar::UNSIGNED_INT, {offsets.size(), 1}, offsets, {di, "offsets"});
  graph.setTileMapping(indices, 0);
  multiUpdateAdd(graph, t, s, indices, scale, {dim}, {1}, prog, SlicePlan(), options, {di});
}

void groupedMultiUpdateAdd(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                           const Tensor& scale, const Sizes& dims, const Sizes& sizes,
                           Sequence& prog, const SlicePlan&, const OptionFlags&,
                           const DebugContext& debugContext) {
  requireRowLookup("groupedMultiUpdateAdd", dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateGroups(graph, t, s, offsets, scale, UpdateOp::Add, dims[0], prog, {di, "multiUpdateAdd"});
}

void multiUpdateMax(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                    const Sizes& dims, const Sizes& sizes, Sequence& prog, const SlicePlan& plan,
                    const OptionFlags&, const DebugContext& debugContext) {
  requireRowLookup("multiUpdateMax", dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateTable(graph, t, s, offsets, noScale(graph, t, {di}), UpdateOp::Max, dims[0], prog, plan,
              {di, "multiUpdateMax"});
}

void groupedMultiUpdateMax(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offsets,
                           const Sizes& dims, const Sizes& sizes, Sequence& prog, const SlicePlan&,
                           const OptionFlags&, const DebugContext& debugContext) {
  requireRowLookup("groupedMultiUpdateMax", dims, sizes);
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateGroups(graph, t, s, offsets, noScale(graph, t, {di}), UpdateOp::Max, dims[0], prog,
               {di, "multiUpdateMax"});
}

} // namespace popops
