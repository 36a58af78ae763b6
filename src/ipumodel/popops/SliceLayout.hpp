// Columns of sliced tensors: which tile has them, and how they are connected.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <string>
#include <vector>

namespace popops {

// The columns of a matrix that one tile works on.
struct TileColumns {
  unsigned tile;
  std::vector<poplar::Interval> columns;
  std::size_t width() const;
};

// [rows][columns], rows being the sliced dimension.
poplar::Tensor asRows(const poplar::Tensor& t, std::size_t dim);

// Rows of tables of that shape as slices: [rows][..., 1, ...].
poplar::Tensor rowsAsSlices(const poplar::Tensor& rows, std::vector<std::size_t> shape,
                            std::size_t dim);

// The same bits as unsigned integers of that size: what only moves needs no other type.
poplar::Tensor asWords(const poplar::Graph& graph, const poplar::Tensor& t);

// A column belongs to the tile of its first element.
std::vector<TileColumns> columnsByTile(const poplar::Graph& graph, const poplar::Tensor& rows);

// A matrix of `numRows` rows and as many columns as the tiles share out, contiguous on each tile.
poplar::Tensor createByColumns(poplar::Graph& graph, const poplar::Type& type, std::size_t numRows,
                               const std::vector<TileColumns>& tiles,
                               const poplar::DebugContext& debugContext);

// How the rows of a tile are given to a vertex: as one matrix, or row by row where they lie apart.
enum class RowAccess { Matrix, List };
RowAccess rowAccess(const poplar::Tensor& rows, const TileColumns& columns);

// All rows of those columns, flat; and the regions of each row, row after row.
poplar::Tensor columnMatrix(const poplar::Tensor& rows, const TileColumns& columns);
std::vector<poplar::Tensor> columnRegions(const poplar::Tensor& rows, const TileColumns& columns);

// Connects a field of either kind and gives a vertex what it needs to find rows: the width, or the
// number of regions.
void connectRows(poplar::Graph& graph, const poplar::VertexRef& v, const std::string& field,
                 const poplar::Tensor& rows, const TileColumns& columns, RowAccess access);
void setRowShape(poplar::Graph& graph, const poplar::VertexRef& v, const TileColumns& columns,
                 RowAccess access);

} // namespace popops
