// Slices of tables whose rows, or whose indices, are divided between tiles. The tile of a part of
// the rows, one of the columns and one of the indices holds a share of that part of the table, as
// many rows as of the other tiles that look up in it, and a share of the slices.
#pragma once

#include "popops/SlicePlanInternal.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popops {

// A table, and slices of one, as matrices.
poplar::Tensor createTableByPlan(poplar::Graph& graph, const poplar::Type& type,
                                 std::size_t numRows, std::size_t numColumns,
                                 const SlicePartition& parts,
                                 const poplar::DebugContext& debugContext);
poplar::Tensor createSlicesByPlan(poplar::Graph& graph, const poplar::Type& type,
                                  std::size_t numLookups, std::size_t numColumns,
                                  const SlicePartition& parts,
                                  const poplar::DebugContext& debugContext);

// The rows of `table` at `offsets`, laid out as createSlicesByPlan() does; zeros where there is no
// such row.
poplar::Tensor sliceByPlan(poplar::Graph& graph, const poplar::Tensor& table,
                           const poplar::Tensor& offsets, const SlicePartition& parts,
                           poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext);

// `op` as in MultiSliceVertices.hpp.
void updateByPlan(poplar::Graph& graph, const poplar::Tensor& table, const poplar::Tensor& slices,
                  const poplar::Tensor& offsets, const poplar::Tensor& scale, unsigned char op,
                  const SlicePartition& parts, poplar::program::Sequence& prog,
                  const poplar::DebugContext& debugContext);

} // namespace popops
