#include "popops/PlannedSlice.hpp"

#include "popops/SliceLayout.hpp"

#include <poputil/VertexTemplates.hpp>

#include <algorithm>
#include <numeric>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

// Part `i` of so many equal ones.
Interval partOf(const Interval& whole, std::size_t i, std::size_t parts) {
  const auto size = whole.size();
  return {whole.begin() + size * i / parts, whole.begin() + size * (i + 1) / parts};
}

Tensor block(const Tensor& matrix, const Interval& rows, const Interval& columns) {
  return matrix.slice({rows.begin(), columns.begin()}, {rows.end(), columns.end()});
}

// The cuts of one table and its indices.
class Cuts {
public:
  Cuts(std::size_t numRows, std::size_t numColumns, std::size_t numLookups,
       const SlicePartition& given)
      : parts{std::clamp<std::size_t>(numRows, 1, given.rows),
              std::clamp<std::size_t>(numColumns, 1, given.columns),
              std::clamp<std::size_t>(numLookups, 1, given.lookups)},
        numRows_(numRows),
        numColumns_(numColumns),
        numLookups_(numLookups),
        given_(given) {}

  unsigned tile(std::size_t row, std::size_t column, std::size_t lookup) const {
    return static_cast<unsigned>((row * given_.columns + column) * given_.lookups + lookup);
  }
  Interval rows(std::size_t i) const { return partOf({0, numRows_}, i, parts.rows); }
  Interval columns(std::size_t i) const { return partOf({0, numColumns_}, i, parts.columns); }
  Interval lookups(std::size_t i) const { return partOf({0, numLookups_}, i, parts.lookups); }
  // What a tile holds of its rows and of its slices. A table may be looked up in any number of
  // times, so its shares depend on the plan alone.
  Interval rowShare(std::size_t row, std::size_t lookup) const {
    return partOf(rows(row), lookup, given_.lookups);
  }
  Interval sliceShare(std::size_t row, std::size_t lookup) const {
    return partOf(lookups(lookup), row, parts.rows);
  }
  std::size_t numRowShares() const { return given_.lookups; }

  const SlicePartition parts;

private:
  std::size_t numRows_, numColumns_, numLookups_;
  SlicePartition given_;
};

// A matrix of outer x columns blocks, each contiguous and divided by rows into `inner` shares.
template <class Share, class Tile>
Tensor createByBlocks(Graph& graph, const poplar::Type& type, std::size_t numRows, const Cuts& cuts,
                      std::size_t numColumns, std::size_t outer, std::size_t inner, Share share,
                      Tile tile, const DebugContext& debugContext) {
  const auto flat = graph.addVariable(type, {numRows * numColumns}, debugContext);
  std::size_t used = 0;
  std::vector<Tensor> bands;
  for (std::size_t o = 0; o != outer; ++o) {
    std::vector<Tensor> blocks;
    for (std::size_t c = 0; c != cuts.parts.columns; ++c) {
      const auto width = cuts.columns(c).size(), first = used;
      for (std::size_t i = 0; i != inner; ++i) {
        const auto size = share(o, i).size() * width;
        if (size)
          graph.setTileMapping(flat.slice(used, used + size), tile(o, c, i));
        used += size;
      }
      blocks.push_back(flat.slice(first, used).reshape({(used - first) / width, width}));
    }
    bands.push_back(poplar::concat(blocks, 1));
  }
  return poplar::concat(bands);
}

poplar::VertexRef addVertex(Graph& graph, const poplar::ComputeSet& cs, const std::string& name,
                            unsigned tile) {
  const auto v = graph.addVertex(cs, name);
  graph.setTileMapping(v, tile);
  return v;
}

void updateOnce(Graph& graph, const Tensor& table, const Tensor& slices, const Tensor& offsets,
                const Tensor& scale, unsigned char op, const SlicePartition& parts,
                const poplar::ComputeSet& cs) {
  const Cuts cuts(table.dim(0), table.dim(1), parts.lookups, parts);
  const auto name =
      poputil::templateVertex("popops::MultiUpdate1D", table.elementType(), scale.elementType());
  for (std::size_t r = 0; r != cuts.parts.rows; ++r)
    for (std::size_t c = 0; c != cuts.parts.columns; ++c)
      for (std::size_t l = 0; l != cuts.numRowShares(); ++l) {
        const auto rows = cuts.rowShare(r, l), columns = cuts.columns(c);
        if (rows.size() == 0)
          continue;
        const auto v = addVertex(graph, cs, name, cuts.tile(r, c, l));
        graph.connect(v["offsets"], offsets);
        graph.connect(v["base"], block(table, rows, columns).flatten());
        graph.connect(v["in"], slices.slice(columns, 1).flatten());
        graph.connect(v["scale"], scale.reshape({}));
        graph.setInitialValue(v["width"], static_cast<unsigned>(columns.size()));
        graph.setInitialValue(v["firstRow"], static_cast<unsigned>(rows.begin()));
        graph.setInitialValue(v["op"], op);
      }
}

} // namespace

Tensor createTableByPlan(Graph& graph, const poplar::Type& type, std::size_t numRows,
                         std::size_t numColumns, const SlicePartition& parts,
                         const DebugContext& debugContext) {
  const Cuts cuts(numRows, numColumns, parts.lookups, parts);
  return createByBlocks(
      graph, type, numRows, cuts, numColumns, cuts.parts.rows, cuts.numRowShares(),
      [&](std::size_t r, std::size_t l) { return cuts.rowShare(r, l); },
      [&](std::size_t r, std::size_t c, std::size_t l) { return cuts.tile(r, c, l); },
      debugContext);
}

Tensor createSlicesByPlan(Graph& graph, const poplar::Type& type, std::size_t numLookups,
                          std::size_t numColumns, const SlicePartition& parts,
                          const DebugContext& debugContext) {
  const Cuts cuts(parts.rows, numColumns, numLookups, parts);
  return createByBlocks(
      graph, type, numLookups, cuts, numColumns, cuts.parts.lookups, cuts.parts.rows,
      [&](std::size_t l, std::size_t r) { return cuts.sliceShare(r, l); },
      [&](std::size_t l, std::size_t c, std::size_t r) { return cuts.tile(r, c, l); },
      debugContext);
}

Tensor sliceByPlan(Graph& graph, const Tensor& table, const Tensor& offsets,
                   const SlicePartition& parts, poplar::program::Sequence& prog,
                   const DebugContext& debugContext) {
  const auto indices = offsets.flatten();
  const Cuts cuts(table.dim(0), table.dim(1), indices.numElements(), parts);
  const auto out = createSlicesByPlan(graph, table.elementType(), indices.numElements(),
                                      table.dim(1), parts, {debugContext, "slices"});
  const auto base = asWords(graph, table), slices = asWords(graph, out);
  const auto lookUp = graph.addComputeSet({debugContext, "multiSlice"});
  const auto choose = graph.addComputeSet({debugContext, "chooseRows"});
  const auto type = base.elementType();
  for (std::size_t c = 0; c != cuts.parts.columns; ++c)
    for (std::size_t l = 0; l != cuts.parts.lookups; ++l) {
      const auto columns = cuts.columns(c), lookups = cuts.lookups(l);
      std::vector<Tensor> found; // by each part of the rows
      for (std::size_t r = 0; r != cuts.parts.rows; ++r) {
        const auto tile = cuts.tile(r, c, l);
        auto to = block(slices, lookups, columns);
        if (cuts.parts.rows > 1) {
          to = graph.addVariable(type, to.shape(), {debugContext, "found"});
          graph.setTileMapping(to, tile);
          found.push_back(to);
        }
        const auto v =
            addVertex(graph, lookUp, poputil::templateVertex("popops::MultiSlice1D", type), tile);
        graph.connect(v["offsets"], indices.slice(lookups));
        graph.connect(v["base"], block(base, cuts.rows(r), columns).flatten());
        graph.connect(v["out"], to.flatten());
        graph.setInitialValue(v["width"], static_cast<unsigned>(columns.size()));
        graph.setInitialValue(v["firstRow"], static_cast<unsigned>(cuts.rows(r).begin()));
      }
      for (std::size_t r = 0; r != found.size(); ++r) {
        const auto share = cuts.sliceShare(r, l);
        if (share.size() == 0)
          continue;
        std::vector<Tensor> candidates;
        for (const auto& part : found)
          candidates.push_back(
              part.slice(share.begin() - lookups.begin(), share.end() - lookups.begin()).flatten());
        const auto v = addVertex(graph, choose, poputil::templateVertex("popops::ChooseRows", type),
                                 cuts.tile(r, c, l));
        graph.connect(v["found"], poplar::concat(candidates));
        graph.connect(v["out"], block(slices, share, columns).flatten());
      }
    }
  prog.add(poplar::program::Execute(lookUp, debugContext));
  if (cuts.parts.rows > 1)
    prog.add(poplar::program::Execute(choose, debugContext));
  return out;
}

void updateByPlan(Graph& graph, const Tensor& table, const Tensor& slices, const Tensor& offsets,
                  const Tensor& scale, unsigned char op, const SlicePartition& parts,
                  poplar::program::Sequence& prog, const DebugContext& debugContext) {
  const auto indices = offsets.flatten();
  const std::size_t widest = (table.dim(1) + parts.columns - 1) / parts.columns;
  const std::size_t bytes = 4 + widest * graph.getTarget().getTypeSize(table.elementType());
  const std::size_t atOnce = std::max<std::size_t>(1, kUpdateBytes / bytes);
  for (std::size_t first = 0; first < indices.numElements(); first += atOnce) {
    const Interval round(first, std::min(first + atOnce, indices.numElements()));
    const auto cs = graph.addComputeSet(debugContext);
    updateOnce(graph, table, slices.slice(round), indices.slice(round), scale, op, parts, cs);
    prog.add(poplar::program::Execute(cs, debugContext));
  }
}

} // namespace popops
