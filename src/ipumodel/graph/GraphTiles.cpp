// Tile mapping and virtual graphs.
#include "graph/Access.hpp"
#include "graph/Reshape.hpp"
#include "graph/SameGraph.hpp"
#include "graph/VirtualTiles.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace poplar {
namespace {

using ipumodel::LinearRun;
using ipumodel::TileId;
using ipumodel::TileMap;
using ipumodel::Variable;

// Elements [first, first + count) of a run, given to tiles.
void assignRun(TileMap& tiles, const ipumodel::Run& run, std::size_t first, std::size_t count,
               TileId tile) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(run.offset + static_cast<std::int64_t>(i) * run.stride);
  };
  if (count == 0)
    return;
  if (count == 1 || run.stride == 1 || run.stride == 0)
    tiles.assign(at(first), run.stride == 0 ? at(first) + 1 : at(first) + count, tile);
  else if (run.stride == -1)
    tiles.assign(at(first + count - 1), at(first) + 1, tile);
  else
    for (std::size_t i = first; i < first + count; ++i)
      tiles.assign(at(i), at(i) + 1, tile);
}

// Calls f(position, count, tile) for the elements of a run, tile by tile; an invalid tile is
// unmapped.
template <class F>
void forEachTile(const TileMap& tiles, const LinearRun& r, F f) {
  const auto& ranges = tiles.ranges();
  const ipumodel::Run& run = r.run;
  auto range = ranges.begin();
  for (std::size_t i = 0; i < run.count;) {
    const auto at =
        static_cast<std::size_t>(run.offset + static_cast<std::int64_t>(i) * run.stride);
    if (range == ranges.end() || at < range->begin || at >= range->end)
      range = std::partition_point(ranges.begin(), ranges.end(),
                                   [&](const TileMap::Range& x) { return x.end <= at; });
    const bool isMapped = range != ranges.end() && range->begin <= at;
    // How far the run stays inside this range, or inside this gap.
    std::size_t n = 1;
    if (run.stride == 0) {
      n = run.count - i;
    } else if (run.stride > 0) {
      const std::size_t limit = isMapped                ? range->end
                                : range == ranges.end() ? ~std::size_t{0}
                                                        : range->begin;
      const auto step = static_cast<std::size_t>(run.stride);
      n = std::min(run.count - i, (limit - at - 1) / step + 1);
    }
    f(r.position + i, n, isMapped ? range->tile : TileId{});
    i += n;
  }
}

} // namespace

void Graph::setTileMapping(const Tensor& t, unsigned tileNum) {
  const TileId tile{convertTileToTopLevelGraphTile(tileNum)};
  const ipumodel::View& view = viewIn(*data_, t, "setTileMapping");
  for (const LinearRun& r : linearRuns(view))
    assignRun(data_->variables[r.run.var.value].tiles, r.run, 0, r.run.count, tile);
}

void Graph::setTileMapping(const Tensor& t, const TileToTensorMapping& mapping) {
  const ipumodel::View& view = viewIn(*data_, t, "setTileMapping");
  if (mapping.size() > getTarget().getNumTiles())
    throw invalid_tile_mapping("mapping of tensor " + t.getVarStr() + " names " +
                               std::to_string(mapping.size()) + " tiles; the graph has " +
                               std::to_string(getTarget().getNumTiles()));
  const std::vector<LinearRun> runs = linearRuns(view);
  const std::size_t numElements = t.numElements();
  for (unsigned tileNum = 0; tileNum < mapping.size(); ++tileNum)
    for (const Interval& interval : mapping[tileNum]) {
      if (interval.end() > numElements || interval.begin() > interval.end())
        throw invalid_tile_mapping(
            "mapping of tensor " + t.getVarStr() + " of " + std::to_string(numElements) +
            " elements to tile " + std::to_string(tileNum) + " names elements [" +
            std::to_string(interval.begin()) + "," + std::to_string(interval.end()) + ")");
      const TileId tile{convertTileToTopLevelGraphTile(tileNum)};
      auto run = std::partition_point(runs.begin(), runs.end(), [&](const LinearRun& r) {
        return r.position + r.run.count <= interval.begin();
      });
      for (; run != runs.end() && run->position < interval.end(); ++run) {
        const std::size_t first = std::max(interval.begin(), run->position);
        const std::size_t last = std::min(interval.end(), run->position + run->run.count);
        assignRun(data_->variables[run->run.var.value].tiles, run->run, first - run->position,
                  last - first, tile);
      }
    }
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool* isComplete,
                                                 bool allowExternal) const {
  const ipumodel::View& view = viewIn(*data_, t, "getTileMapping");
  TileToTensorMapping out(getTarget().getNumTiles());
  bool complete = true;
  for (const LinearRun& r : linearRuns(view))
    forEachTile(data_->variables[r.run.var.value].tiles, r,
                [&](std::size_t position, std::size_t count, TileId tile) {
                  if (!tile.valid()) {
                    complete = false;
                    return;
                  }
                  const unsigned own = convertTopLevelGraphTileToTile(tile.value);
                  if (own == ~0u) {
                    if (allowExternal)
                      return;
                    throw invalid_tile_mapping(
                        "tensor " + t.getVarStr() + " has elements on tile " +
                        std::to_string(tile.value) + ", which is not part of this virtual graph");
                  }
                  auto& intervals = out[own];
                  if (!intervals.empty() && intervals.back().end() == position)
                    intervals.back() = Interval(intervals.back().begin(), position + count);
                  else
                    intervals.emplace_back(position, position + count);
                });
  if (isComplete)
    *isComplete = complete;
  return out;
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool requireComplete,
                                                 bool allowExternal) const {
  bool isComplete = true;
  TileToTensorMapping out = getTileMapping(t, &isComplete, allowExternal);
  if (requireComplete && !isComplete)
    throw invalid_tile_mapping("tensor " + t.getVarStr() + " of shape " + t.shapeToString() +
                               " has elements that are not mapped to a tile");
  return out;
}

Graph::TileToTensorMapping Graph::getVariableTileMapping(const Tensor& t) const {
  const ipumodel::View& view = viewIn(*data_, t, "getVariableTileMapping");
  if (view.boxes.empty())
    return TileToTensorMapping(getTarget().getNumTiles());
  return getTileMapping(getVariable(VariableRef(view.boxes.front().var.value)), false);
}

void Graph::setTileMapping(VertexRef v, unsigned tileNum) {
  if (v.getId() >= data_->vertices.size())
    throw poplar_error("setTileMapping of a vertex that is not in the graph");
  ipumodel::Vertex& vertex = data_->vertices[v.getId()];
  vertex.tile = TileId{convertTileToTopLevelGraphTile(tileNum)};
  for (const ipumodel::Connection& connection : vertex.connections)
    for (const ipumodel::Box& box : connection.view.boxes) {
      Variable& variable = data_->variables[box.var.value];
      if (variable.owner == ipumodel::VertexId{v.getId()})
        variable.tiles.assign(0, variable.numElements, vertex.tile);
    }
}

unsigned Graph::convertTileToTopLevelGraphTile(unsigned tile) const {
  const unsigned numTiles = getTarget().getNumTiles();
  if (tile >= numTiles)
    throw invalid_tile_mapping("tile " + std::to_string(tile) + " is out of range; the graph has " +
                               std::to_string(numTiles) + " tiles");
  return tiles_ ? tiles_->toTopLevel[tile] : tile;
}

unsigned Graph::convertTopLevelGraphTileToTile(unsigned tile) const {
  if (!tiles_)
    return tile < getTarget().getNumTiles() ? tile : ~0u;
  const auto it = tiles_->fromTopLevel.find(tile);
  return it == tiles_->fromTopLevel.end() ? ~0u : it->second;
}

unsigned Graph::convertVirtualTileToPhysicalTile(unsigned virtualTile) const {
  return convertTileToTopLevelGraphTile(virtualTile);
}
unsigned Graph::convertPhysicalTileToVirtualTile(unsigned physicalTile) const {
  return convertTopLevelGraphTileToTile(physicalTile);
}
unsigned Graph::convertPhysicalTileToVirtualTile(unsigned ipu, unsigned physicalTile) const {
  return convertTopLevelGraphTileToTile(ipu * data_->target.getTilesPerIPU() + physicalTile);
}

namespace {

// The virtual graph of `own` tiles, given by their numbers in a graph with those tiles.
std::shared_ptr<const ipumodel::VirtualTiles>
makeTiles(const Graph& graph, const std::vector<unsigned>& own, unsigned numIPUs) {
  auto tiles = std::make_shared<ipumodel::VirtualTiles>();
  tiles->target =
      graph.getTarget().createVirtualTarget(numIPUs, static_cast<unsigned>(own.size()) / numIPUs);
  for (unsigned i = 0; i < own.size(); ++i) {
    tiles->toTopLevel.push_back(graph.convertTileToTopLevelGraphTile(own[i]));
    tiles->fromTopLevel.emplace(tiles->toTopLevel.back(), i);
  }
  return tiles;
}

} // namespace

Graph Graph::createVirtualGraph(unsigned tilesPerIPU) {
  std::vector<unsigned> perIpuTiles(tilesPerIPU);
  std::iota(perIpuTiles.begin(), perIpuTiles.end(), 0u);
  return createVirtualGraph(perIpuTiles);
}

Graph Graph::createVirtualGraph(unsigned lowerTile, unsigned upperTile) {
  const unsigned tilesPerIPU = getTarget().getTilesPerIPU();
  if (lowerTile >= upperTile || upperTile > getTarget().getNumTiles())
    throw poplar_error("virtual graph of tiles [" + std::to_string(lowerTile) + "," +
                       std::to_string(upperTile) + "); the graph has " +
                       std::to_string(getTarget().getNumTiles()) + " tiles");
  const unsigned numTiles = upperTile - lowerTile;
  const bool inOneIPU = lowerTile / tilesPerIPU == (upperTile - 1) / tilesPerIPU;
  if (!inOneIPU && (lowerTile % tilesPerIPU != 0 || numTiles % tilesPerIPU != 0))
    throw poplar_error("virtual graph of tiles [" + std::to_string(lowerTile) + "," +
                       std::to_string(upperTile) + ") takes parts of several IPUs of " +
                       std::to_string(tilesPerIPU) + " tiles");
  std::vector<unsigned> own(numTiles);
  std::iota(own.begin(), own.end(), lowerTile);
  return Graph(data_, makeTiles(*this, own, inOneIPU ? 1 : numTiles / tilesPerIPU));
}

Graph Graph::createVirtualGraph(const std::vector<unsigned>& perIpuTiles) {
  const unsigned tilesPerIPU = getTarget().getTilesPerIPU();
  std::vector<unsigned> own;
  for (unsigned ipu = 0; ipu < getTarget().getNumIPUs(); ++ipu)
    for (unsigned tile : perIpuTiles) {
      if (tile >= tilesPerIPU)
        throw poplar_error("virtual graph with tile " + std::to_string(tile) +
                           " of each IPU; an IPU has " + std::to_string(tilesPerIPU) + " tiles");
      own.push_back(ipu * tilesPerIPU + tile);
    }
  if (own.empty())
    throw poplar_error("virtual graph of no tiles");
  return Graph(data_, makeTiles(*this, own, getTarget().getNumIPUs()));
}

Graph Graph::getTopLevelGraph() {
  return Graph(data_, nullptr);
}

Graph Graph::createReplicatedGraph(unsigned replicationFactor) {
  const bool isEmpty = !tiles_ && data_->variables.empty() && data_->vertices.empty() &&
                       data_->streams.empty() && data_->remoteBuffers.empty();
  if (replicationFactor != 1 && (!isEmpty || data_->replicationFactor != 1))
    throw graph_replication_error("createReplicatedGraph(" + std::to_string(replicationFactor) +
                                  "): a part of a graph cannot be replicated; give the factor to "
                                  "the graph itself, Graph(target, replication_factor(n))");
  if (replicationFactor != 1) {
    data_->target = ipumodel::targetOfReplica(data_->target, replicationFactor);
    data_->replicationFactor = replicationFactor;
  }
  return createVirtualGraph(getTarget().getTilesPerIPU());
}

Tensor Graph::getNonReplicatedTensor(const Tensor& t) const {
  viewIn(*data_, t, "getNonReplicatedTensor");
  return t.expand({0});
}

} // namespace poplar
