// Which tile holds which element.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace poputil {

/// Spreads a tensor of `shape` evenly over the tiles in element order. A tile's share is a multiple
/// of `grainSize` (but for the last) and, where it can be, at least `minElementsPerTile`. The first
/// tile is `offset`, counted from tile 0 upwards if `ascendingOrder`, else from the last one down.
std::vector<std::vector<poplar::Interval>>
calcLinearTileMapping(const poplar::Graph& graph, std::vector<std::size_t> shape,
                      unsigned minElementsPerTile, unsigned grainSize, unsigned offset = 0,
                      bool ascendingOrder = true);

/// The same with the type's vector width as grain and at least 128 bytes a tile.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 const poplar::Tensor& t,
                                                                 unsigned offset = 0,
                                                                 bool ascendingOrder = true);

/// The mapping, and the tile after the last one it used.
std::pair<poplar::Graph::TileToTensorMapping, unsigned>
calcLinearTileMappingAndNewOffset(const poplar::Graph& graph, const poplar::Tensor& t,
                                  unsigned offset = 0);

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize);
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t,
                                 unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                                 bool ascendingOrder = true);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0,
                                 bool ascendingOrder = true);

/// A tile in [0, numTiles) that depends on the shape alone, to spread small tensors.
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape);
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape,
                                std::size_t seed);

/// Elements on the fullest tile beyond what an even spread would put there.
unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);
unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);

/// Maps `t` anew, evenly, if its imbalance is greater than the threshold (in elements).
void rebalanceTensor(poplar::Graph& graph, const poplar::Tensor& t);
void rebalanceTensor(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                     unsigned grainSize, unsigned imbalanceThreshold);

/// A clone of `t` on another IPU, on the tiles of the same number within it.
poplar::Tensor cloneToIpu(
    poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIPU,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// A clone in another (virtual) graph, on the tiles of the same number there.
poplar::Tensor cloneToGraph(
    poplar::Graph& srcGraph, poplar::Graph& dstGraph, const poplar::Tensor& t,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// A clone without aliases; where `t` aliases, the new elements are spread linearly from `offset`.
std::pair<poplar::Tensor, unsigned>
cloneAndExpandAliasing(poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0,
                       const poplar::DebugContext& debugContext = {});

/// cloneToIpu, and the copy.
poplar::Tensor copyToIpu(
    poplar::Graph& masterGraph, const poplar::Tensor& t, poplar::program::Sequence& prog,
    unsigned dstIPU, const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// cloneToIpu, and the tensors to copy from and to; the copy itself is the caller's.
poplar::Tensor createIpuCopy(
    poplar::Graph& masterGraph, const poplar::Tensor& t, unsigned dstIpu, poplar::Tensor& copySrc,
    poplar::Tensor& copyDst, const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);

/// Whether elements that differ only in `dimension` lie on several tiles (IPUs).
bool dimIsSplitOverTiles(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);
bool dimIsSplitOverIPUs(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);

/// A 1-D tensor as long as dimension `dim` of `fullTensor`, each element on a tile that holds part
/// of that slice.
poplar::Tensor createBroadcastOperand(poplar::Graph& graph, const poplar::Tensor& fullTensor,
                                      const poplar::Type& type, unsigned dim,
                                      bool ditherMapping = false,
                                      const poplar::DebugContext& debugContext = {});

class TensorUseTrackerState;

/// Collects which tiles use which elements, and maps the elements to their users. Elements that
/// several tiles use are spread evenly over them.
class TensorUseTracker {
public:
  enum class MappingMethod {
    OptimizeHaloRegions, ///< a range that just its neighbours' tiles share stays in one piece
    ConstrainMappingToUsedTiles, ///< only on tiles that use an element, whatever the grain
    None
  };

  explicit TensorUseTracker(unsigned numTiles);
  TensorUseTracker(const TensorUseTracker& other);
  TensorUseTracker(TensorUseTracker&& other);
  TensorUseTracker& operator=(const TensorUseTracker& other);
  TensorUseTracker& operator=(TensorUseTracker&& other);
  ~TensorUseTracker();

  /// Tile `tile` uses the elements of `t`. Constants are left out. REQUIRES: tile below numTiles.
  void add(const poplar::Graph& graph, unsigned tile, const poplar::Tensor& t);
  /// All uses of another tracker of as many tiles.
  void add(TensorUseTracker other);

  /// Leaves each element to one of its users. A tile's share is a multiple of `grainSize` elements
  /// and at least `minElementsPerTile` where it can be. `extendPartialUsage` gives elements nobody
  /// uses to the users of their neighbours.
  void resolve(const poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
               bool extendPartialUsage = false, MappingMethod mappingMethod = MappingMethod::None);
  /// resolve(), and maps the variables accordingly.
  void mapTensorsByUse(poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                       bool extendPartialUsage = false,
                       MappingMethod mappingMethod = MappingMethod::None);

  bool empty() const;

private:
  std::unique_ptr<TensorUseTrackerState> st;
};

/// Tile number counted from the offset in the given direction, and back.
unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);
unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);

} // namespace poputil
