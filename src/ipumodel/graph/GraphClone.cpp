// New tensors with the shape, the tile mapping and, if asked for, the memory order of another.
#include "graph/Access.hpp"
#include "graph/Reshape.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <map>

namespace ipumodel {
namespace {

// Elements [begin, end) of a variable lie from `target` on in the clone.
struct Moved {
  VarId var;
  std::size_t begin, end, target;
};

// Where everything a view uses goes in a new variable: in memory order, without what it does not
// use.
class Relocation {
public:
  explicit Relocation(const View& view) {
    std::vector<Region> used = regionsOf(view);
    std::sort(used.begin(), used.end(), [](const Region& a, const Region& b) {
      return a.var != b.var ? a.var < b.var : a.begin < b.begin;
    });
    for (const Region& r : used) {
      if (!moved_.empty() && moved_.back().var == r.var && r.begin <= moved_.back().end)
        moved_.back().end = std::max(moved_.back().end, r.end());
      else
        moved_.push_back({r.var, r.begin, r.end(), 0});
    }
    for (Moved& m : moved_) {
      m.target = numElements_;
      numElements_ += m.end - m.begin;
    }
  }

  // Groups the pieces by tile, keeping their order on each.
  void orderByTile(const std::vector<Variable>& variables) {
    std::vector<std::pair<TileId, Moved>> pieces;
    for (const Moved& m : moved_) {
      std::size_t at = m.begin;
      for (const TileMap::Range& range : variables[m.var.value].tiles.ranges()) {
        const std::size_t begin = std::max(range.begin, m.begin);
        const std::size_t end = std::min(range.end, m.end);
        if (begin >= end)
          continue;
        if (at < begin)
          pieces.push_back({TileId{}, {m.var, at, begin, 0}});
        pieces.push_back({range.tile, {m.var, begin, end, 0}});
        at = end;
      }
      if (at < m.end)
        pieces.push_back({TileId{}, {m.var, at, m.end, 0}});
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    moved_.clear();
    std::size_t at = 0;
    for (auto& [tile, m] : pieces) {
      m.target = at;
      at += m.end - m.begin;
      moved_.push_back(m);
    }
    std::sort(moved_.begin(), moved_.end(), [](const Moved& a, const Moved& b) {
      return a.var != b.var ? a.var < b.var : a.begin < b.begin;
    });
  }

  std::size_t numElements() const { return numElements_; }
  const std::vector<Moved>& moved() const { return moved_; }

  const Moved& find(VarId var, std::size_t element) const {
    return *std::partition_point(moved_.begin(), moved_.end(), [&](const Moved& m) {
      return m.var != var ? m.var < var : m.end <= element;
    });
  }

private:
  std::vector<Moved> moved_; // by variable and begin
  std::size_t numElements_ = 0;
};

// The view's elements, where the relocation has put them in `var`.
View relocated(const View& view, const Relocation& relocation, VarId var, poplar::Type type) {
  View out{type, view.shape, {}, view.orderedBy};
  for (const Box& box : view.boxes) {
    const BoxReach reach = reachOf(box);
    const Moved& m = relocation.find(box.var, reach.begin);
    if (reach.end > m.end) { // the box falls apart: take it run by run
      std::vector<LinearRun> runs;
      for (const Region& r : regionsOf(view)) {
        std::size_t done = 0;
        while (done < r.count) {
          const Moved& part = relocation.find(r.var, r.begin + done);
          const std::size_t n = std::min(r.count - done, part.end - (r.begin + done));
          runs.push_back(
              {r.position + done,
               {var, static_cast<std::int64_t>(part.target + r.begin + done - part.begin), n, 1}});
          done += n;
        }
      }
      mergeRuns(runs);
      return viewOfRuns(type, runs, view.numElements()).reshape(view.shape);
    }
    Box moved = box;
    moved.var = var;
    moved.offset += static_cast<std::int64_t>(m.target) - static_cast<std::int64_t>(m.begin);
    out.boxes.push_back(std::move(moved));
  }
  return out;
}

void copyTiles(const std::vector<Variable>& variables, const Moved& m, TileMap& tiles) {
  const auto& ranges = variables[m.var.value].tiles.ranges();
  auto range = std::partition_point(ranges.begin(), ranges.end(),
                                    [&](const TileMap::Range& r) { return r.end <= m.begin; });
  for (; range != ranges.end() && range->begin < m.end; ++range) {
    const std::size_t begin = std::max(range->begin, m.begin);
    const std::size_t end = std::min(range->end, m.end);
    tiles.assign(m.target + begin - m.begin, m.target + end - m.begin, range->tile);
  }
}

VarId addVariable(GraphData& graph, const std::string& name, poplar::Type type,
                  std::size_t numElements, TileMap tiles) {
  Variable variable;
  variable.name = name;
  variable.type = type;
  variable.numElements = numElements;
  variable.tiles = std::move(tiles);
  graph.variables.push_back(std::move(variable));
  return VarId{static_cast<std::uint32_t>(graph.variables.size() - 1)};
}

View cloneInOrder(GraphData& graph, const View& view, poplar::Type type, const std::string& name,
                  bool byTile) {
  Relocation relocation(view);
  if (byTile)
    relocation.orderByTile(graph.variables);
  TileMap tiles;
  for (const Moved& m : relocation.moved())
    copyTiles(graph.variables, m, tiles);
  const VarId var = addVariable(graph, name, type, relocation.numElements(), std::move(tiles));
  return relocated(view, relocation, var, type);
}

View cloneInNewOrder(GraphData& graph, const View& view, poplar::Type type,
                     const std::string& name) {
  TileMap tiles;
  for (const Region& r : regionsOf(view))
    copyTiles(graph.variables, {r.var, r.begin, r.end(), r.position}, tiles);
  const VarId var = addVariable(graph, name, type, view.numElements(), std::move(tiles));
  return View::whole(var, type, view.shape);
}

} // namespace
} // namespace ipumodel

namespace poplar {

std::string toString(const TensorCloneMethod& method) {
  switch (method) {
  case TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES:
    return "PRESERVE_ORDER_AND_ALIASES";
  case TensorCloneMethod::CREATE_NEW_ORDER:
    return "CREATE_NEW_ORDER";
  case TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES:
    return "PRESERVE_ORDER_UNLESS_ALIASES";
  case TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES:
    return "GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES";
  }
  throw poplar_error("unknown TensorCloneMethod");
}
std::ostream& operator<<(std::ostream& os, const TensorCloneMethod& method) {
  return os << toString(method);
}

Tensor Graph::clone(const Type& type, const Tensor& t, const DebugContext& debugContext,
                    TensorCloneMethod method) {
  const ipumodel::View& view = viewIn(*data_, t, "clone");
  const std::string name = debugContext.getPathName();
  if (method == TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES)
    method = t.containsAliases() ? TensorCloneMethod::CREATE_NEW_ORDER
                                 : TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES;
  const bool byTile = method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
  const Tensor result =
      makeTensor(data_, method == TensorCloneMethod::CREATE_NEW_ORDER
                            ? ipumodel::cloneInNewOrder(*data_, view, type, name)
                            : ipumodel::cloneInOrder(*data_, view, type, name, byTile));
  if (result.hasMetadata() && t.hasMetadata() && t.numElements() > 0)
    shareMetadata(result, t.getMetadata());
  return result;
}

Tensor Graph::clone(const Tensor& t, const DebugContext& debugContext, TensorCloneMethod method) {
  return clone(t.elementType(), t, debugContext, method);
}

Tensor Graph::cloneN(const Type& type, const Tensor& t, std::size_t N,
                     const DebugContext& debugContext, TensorCloneMethod method,
                     TensorCloneDuplicationMethod duplicationMethod) {
  if (N == 0)
    throw poplar_error("cloneN of tensor " + t.getVarStr() + " 0 times; it must be at least 1");
  if (duplicationMethod == TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION) {
    std::vector<Tensor> copies;
    for (std::size_t i = 0; i < N; ++i)
      copies.push_back(clone(type, t, debugContext, method).expand({0}));
    return concat(copies);
  }
  // The N copies of each contiguous region of a tile lie side by side.
  TileToTensorMapping mapping = getTileMapping(t, false);
  std::vector<Tensor> regions;
  std::vector<Interval> order;
  const Tensor flat = t.flatten();
  for (const std::vector<Interval>& onTile : mapping)
    for (const std::vector<Interval>& region : getSortedContiguousRegions(flat, onTile))
      for (const Interval& i : region) {
        const Tensor piece = clone(type, flat.slice(i), debugContext, method);
        std::vector<Tensor> copies = {piece.expand({0})};
        for (std::size_t n = 1; n < N; ++n)
          copies.push_back(clone(type, flat.slice(i), debugContext, method).expand({0}));
        regions.push_back(concat(copies));
        order.push_back(i);
      }
  std::vector<std::size_t> byPosition(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    byPosition[i] = i;
  std::sort(byPosition.begin(), byPosition.end(),
            [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
  std::vector<Tensor> parts;
  for (std::size_t i : byPosition)
    parts.push_back(regions[i]);
  std::vector<std::size_t> shape = t.shape();
  shape.insert(shape.begin(), N);
  return concat(parts, 1).reshape(shape);
}

Tensor Graph::cloneN(const Tensor& t, std::size_t N, const DebugContext& debugContext,
                     TensorCloneMethod method, TensorCloneDuplicationMethod duplicationMethod) {
  return cloneN(t.elementType(), t, N, debugContext, method, duplicationMethod);
}

} // namespace poplar
