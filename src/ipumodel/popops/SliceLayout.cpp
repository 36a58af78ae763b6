#include "popops/SliceLayout.hpp"

#include <algorithm>

namespace popops {

using poplar::Interval;
using poplar::Tensor;

namespace {
// Above this many regions a list costs more than to bring the rows together.
constexpr std::size_t kMaxRegions = 1u << 14;
} // namespace

std::size_t TileColumns::width() const {
  std::size_t sum = 0;
  for (const auto& interval : columns)
    sum += interval.size();
  return sum;
}

Tensor asRows(const Tensor& t, std::size_t dim) {
  const auto rolled = t.dimRoll(static_cast<unsigned>(dim), 0);
  const auto numRows = rolled.dim(0);
  return rolled.reshape({numRows, numRows ? rolled.numElements() / numRows : 0});
}

Tensor rowsAsSlices(const Tensor& rows, std::vector<std::size_t> shape, std::size_t dim) {
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  shape.insert(shape.begin(), {rows.dim(0), 1});
  return rows.reshape(shape).dimRoll(1, static_cast<unsigned>(dim + 1));
}

Tensor asWords(const poplar::Graph& graph, const Tensor& t) {
  switch (graph.getTarget().getTypeSize(t.elementType())) {
  case 1:
    return t.reinterpret(poplar::UNSIGNED_CHAR);
  case 2:
    return t.reinterpret(poplar::UNSIGNED_SHORT);
  case 4:
    return t.reinterpret(poplar::UNSIGNED_INT);
  default:
    return t.reinterpret(poplar::UNSIGNED_LONGLONG);
  }
}

std::vector<TileColumns> columnsByTile(const poplar::Graph& graph, const Tensor& rows) {
  std::vector<TileColumns> tiles;
  const auto mapping = graph.getTileMapping(rows[0]);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    if (!mapping[tile].empty())
      tiles.push_back({tile, mapping[tile]});
  return tiles;
}

Tensor createByColumns(poplar::Graph& graph, const poplar::Type& type, std::size_t numRows,
                       const std::vector<TileColumns>& tiles,
                       const poplar::DebugContext& debugContext) {
  std::vector<std::pair<std::size_t, Tensor>> parts; // by first column
  std::size_t numColumns = 0;
  for (const auto& t : tiles)
    numColumns += t.width();
  if (numColumns == 0)
    return graph.addVariable(type, {numRows, 0}, debugContext);
  const auto flat = graph.addVariable(type, {numRows * numColumns}, debugContext);
  std::size_t used = 0;
  for (const auto& t : tiles) {
    const auto width = t.width();
    const auto part = flat.slice(used, used + numRows * width).reshape({numRows, width});
    graph.setTileMapping(part, t.tile);
    used += numRows * width;
    std::size_t begin = 0;
    for (const auto& interval : t.columns) {
      parts.emplace_back(interval.begin(), part.slice(begin, begin + interval.size(), 1));
      begin += interval.size();
    }
  }
  std::sort(parts.begin(), parts.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<Tensor> ordered;
  for (auto& part : parts)
    ordered.push_back(std::move(part.second));
  return poplar::concat(ordered, 1);
}

Tensor columnMatrix(const Tensor& rows, const TileColumns& columns) {
  return poplar::concat(rows.slices(columns.columns, 1), 1).flatten();
}

std::vector<Tensor> columnRegions(const Tensor& rows, const TileColumns& columns) {
  std::vector<Tensor> regions;
  for (std::size_t row = 0; row != rows.dim(0); ++row) {
    const auto slices = rows[row].slices(columns.columns);
    regions.insert(regions.end(), slices.begin(), slices.end());
  }
  return regions;
}

RowAccess rowAccess(const Tensor& rows, const TileColumns& columns) {
  if (rows.dim(0) * columns.columns.size() > kMaxRegions ||
      columnMatrix(rows, columns).isContiguous())
    return RowAccess::Matrix;
  return RowAccess::List;
}

void connectRows(poplar::Graph& graph, const poplar::VertexRef& v, const std::string& field,
                 const Tensor& rows, const TileColumns& columns, RowAccess access) {
  if (access == RowAccess::Matrix)
    graph.connect(v[field], columnMatrix(rows, columns));
  else
    graph.connect(v[field], columnRegions(rows, columns));
}

void setRowShape(poplar::Graph& graph, const poplar::VertexRef& v, const TileColumns& columns,
                 RowAccess access) {
  if (access == RowAccess::Matrix)
    graph.setInitialValue(v["width"], static_cast<unsigned>(columns.width()));
  else
    graph.setInitialValue(v["columns"], static_cast<unsigned>(columns.columns.size()));
}

} // namespace popops
