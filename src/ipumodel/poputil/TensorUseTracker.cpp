#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace poputil {

using poplar::Interval;
using Regions = std::vector<Interval>;
using Tiles = std::vector<unsigned>; // ascending

// Which ranges of each variable a tile uses.
class TensorUseTrackerState {
public:
  explicit TensorUseTrackerState(unsigned tiles) : numTiles(tiles) {}

  std::vector<Regions>& usesOf(const poplar::VariableRef& variable) {
    return uses.emplace(variable, std::vector<Regions>(numTiles)).first->second;
  }

  unsigned numTiles;
  std::map<poplar::VariableRef, std::vector<Regions>> uses;
};

namespace {

// A range whose elements are all used by the same tiles.
struct SharedRange {
  std::size_t begin, end;
  Tiles tiles;
};

// The ranges that some tile uses, in order. A sweep over where uses begin and end.
std::vector<SharedRange> sharedRanges(std::vector<Regions> usesByTile) {
  struct Change {
    std::vector<unsigned> begins, ends;
  };
  std::map<std::size_t, Change> changes;
  mergeAdjacentRegions(usesByTile);
  for (unsigned tile = 0; tile != usesByTile.size(); ++tile)
    for (const Interval& region : usesByTile[tile]) {
      changes[region.begin()].begins.push_back(tile);
      changes[region.end()].ends.push_back(tile);
    }
  std::vector<SharedRange> ranges;
  std::set<unsigned> users;
  std::size_t position = 0;
  for (const auto& change : changes) {
    if (!users.empty())
      ranges.push_back({position, change.first, Tiles(users.begin(), users.end())});
    position = change.first;
    for (const unsigned tile : change.second.ends)
      users.erase(tile);
    users.insert(change.second.begins.begin(), change.second.begins.end());
  }
  return ranges;
}

// Ranges in units of grains. A grain that several ranges share goes to the first of them.
std::vector<SharedRange> inGrains(const std::vector<SharedRange>& ranges, std::size_t grainSize) {
  std::vector<SharedRange> grains;
  for (const SharedRange& range : ranges) {
    std::size_t begin = range.begin / grainSize;
    const std::size_t end = (range.end - 1) / grainSize + 1;
    if (!grains.empty())
      begin = std::max(begin, grains.back().end);
    if (begin < end)
      grains.push_back({begin, end, range.tiles});
  }
  return grains;
}

// Unused parts take the users of the part before them, the beginning those of the part after it.
void extendOverGaps(std::vector<SharedRange>& ranges, std::size_t size) {
  if (ranges.empty())
    return;
  ranges.front().begin = 0;
  for (std::size_t i = 0; i != ranges.size(); ++i)
    ranges[i].end = i + 1 == ranges.size() ? size : ranges[i + 1].begin;
}

// A range that exactly its neighbours' tiles share is mapped with the one before, so that the
// mapping is not cut up for it.
void joinHalos(std::vector<SharedRange>& ranges) {
  const std::vector<SharedRange> before = ranges;
  for (std::size_t i = 1; i + 1 < ranges.size(); ++i) {
    Tiles both = before[i - 1].tiles;
    both.insert(both.end(), before[i + 1].tiles.begin(), before[i + 1].tiles.end());
    std::sort(both.begin(), both.end());
    if (both == before[i].tiles)
      ranges[i].tiles = before[i - 1].tiles;
  }
}

std::size_t divideUp(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

} // namespace

TensorUseTracker::TensorUseTracker(unsigned numTiles) : st(new TensorUseTrackerState(numTiles)) {}
TensorUseTracker::TensorUseTracker(const TensorUseTracker& other)
    : st(new TensorUseTrackerState(*other.st)) {}
TensorUseTracker::TensorUseTracker(TensorUseTracker&& other) = default;
TensorUseTracker& TensorUseTracker::operator=(const TensorUseTracker& other) {
  *st = *other.st;
  return *this;
}
TensorUseTracker& TensorUseTracker::operator=(TensorUseTracker&& other) = default;
TensorUseTracker::~TensorUseTracker() = default;

bool TensorUseTracker::empty() const {
  return st->uses.empty();
}

void TensorUseTracker::add(const poplar::Graph& graph, unsigned tile, const poplar::Tensor& t) {
  if (tile >= st->numTiles)
    throw poplibs_error("TensorUseTracker: tile " + std::to_string(tile) + " of a tracker of " +
                        std::to_string(st->numTiles) + " tiles");
  for (const poplar::VariableInterval& region : t.getVarRegions())
    if (!graph.isConstant(region.var))
      st->usesOf(region.var)[tile].push_back(region.interval);
}

void TensorUseTracker::add(TensorUseTracker other) {
  if (other.st->numTiles != st->numTiles)
    throw poplibs_error("TensorUseTracker: a tracker of " + std::to_string(other.st->numTiles) +
                        " tiles added to one of " + std::to_string(st->numTiles));
  for (const auto& entry : other.st->uses) {
    std::vector<Regions>& uses = st->usesOf(entry.first);
    for (unsigned tile = 0; tile != st->numTiles; ++tile)
      uses[tile].insert(uses[tile].end(), entry.second[tile].begin(), entry.second[tile].end());
  }
}

void TensorUseTracker::resolve(const poplar::Graph& graph, unsigned grainSize,
                               unsigned minElementsPerTile, bool extendPartialUsage,
                               MappingMethod mappingMethod) {
  // Constrained, cuts fall only between elements with different users, so grains are counted from
  // the start of each range; otherwise from the start of the variable.
  const bool constrained = mappingMethod == MappingMethod::ConstrainMappingToUsedTiles;
  const std::size_t unit = constrained ? 1 : grainSize;
  for (auto& entry : st->uses) {
    const std::size_t numElements = graph.getVariable(entry.first).numElements();
    std::vector<SharedRange> ranges = inGrains(sharedRanges(std::move(entry.second)), unit);
    if (extendPartialUsage)
      extendOverGaps(ranges, divideUp(numElements, unit));
    if (mappingMethod == MappingMethod::OptimizeHaloRegions)
      joinHalos(ranges);

    std::map<Tiles, Regions> byTiles;
    for (const SharedRange& range : ranges)
      byTiles[range.tiles].emplace_back(range.begin, range.end);
    entry.second.assign(st->numTiles, Regions());
    const auto minUnits = static_cast<unsigned>(divideUp(minElementsPerTile, unit));
    for (auto& shared : byTiles) {
      const auto parts = splitRegions(shared.second, constrained ? grainSize : 1,
                                      static_cast<unsigned>(shared.first.size()), minUnits);
      for (std::size_t i = 0; i != parts.size(); ++i)
        for (const Interval& part : parts[i])
          entry.second[shared.first[i]].emplace_back(part.begin() * unit,
                                                     std::min(part.end() * unit, numElements));
    }
  }
}

void TensorUseTracker::mapTensorsByUse(poplar::Graph& graph, unsigned grainSize,
                                       unsigned minElementsPerTile, bool extendPartialUsage,
                                       MappingMethod mappingMethod) {
  resolve(graph, grainSize, minElementsPerTile, extendPartialUsage, mappingMethod);
  for (const auto& entry : st->uses)
    graph.setTileMapping(graph.getVariable(entry.first), entry.second);
}

} // namespace poputil
