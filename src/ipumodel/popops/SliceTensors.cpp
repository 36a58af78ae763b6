// Tensors laid out for slices, and plans.
#include "popops/PlannedSlice.hpp"
#include "popops/SliceLayout.hpp"

#include <popops/DynamicSlice.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <ostream>
#include <set>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using Sizes = std::vector<std::size_t>;

namespace {

std::size_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

bool isPartitioned(const SlicePlan& plan, const Sizes& shape, const Sizes& dims) {
  return !plan.getImpl().partition.cutsColumnsOnly() && dims.size() == 1 &&
         dims[0] < shape.size() && product(shape);
}

} // namespace

SlicePlan::SlicePlan() : internal_(new SlicePlanInternal) {}
SlicePlan::SlicePlan(std::unique_ptr<SlicePlanInternal> internal)
    : internal_(std::move(internal)) {}
SlicePlan::~SlicePlan() = default;
SlicePlan::SlicePlan(const SlicePlan& other) : internal_(new SlicePlanInternal(*other.internal_)) {}
SlicePlan::SlicePlan(SlicePlan&& other) = default;
SlicePlan& SlicePlan::operator=(const SlicePlan& other) {
  *internal_ = *other.internal_;
  return *this;
}
SlicePlan& SlicePlan::operator=(SlicePlan&& other) = default;

std::ostream& operator<<(std::ostream& o, const SlicePlan& p) {
  const auto& i = p.getImpl();
  return o << "SlicePlan: " << i.groupSize << " groups of " << i.numEntries << " rows of "
           << i.outputSize << " elements, cut into " << i.partition.rows << " x "
           << i.partition.columns << " parts, for indices in " << i.partition.lookups << "\n";
}
bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept {
  return a.getImpl().key() < b.getImpl().key();
}
bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept {
  return a.getImpl().key() == b.getImpl().key();
}
bool operator!=(const SlicePlan& a, const SlicePlan& b) noexcept {
  return !(a == b);
}

namespace embedding {

SlicePlan plan(const Graph& graph, const Type& dataType, std::size_t numEntries,
               std::size_t outputSize, const Sizes& numLookups, const OptionFlags& options) {
  return plan(graph, dataType, 1, numEntries, outputSize, numLookups, options);
}

SlicePlan plan(const Graph& graph, const Type& dataType, std::size_t groupSize,
               std::size_t numEntries, std::size_t outputSize, const Sizes& numLookups,
               const OptionFlags& options) {
  bool slice = true, update = true, sorted = false;
  double proportion = 0.6;
  std::string text;
  using Handler = poplibs::OptionHandler;
  const poplibs::OptionSpec spec{
      {"usedForSlice", Handler::createWithBool(slice)},
      {"usedForUpdate", Handler::createWithBool(update)},
      {"indicesAreSorted", Handler::createWithBool(sorted)},
      {"availableMemoryProportion", Handler::createWithDouble(proportion)},
      {"operationForUpdate", Handler::createWithString(text)},
      {"indicesDistribution", Handler::createWithString(text)},
      {"planMinimisationTarget", Handler::createWithString(text)},
      {"partialType", Handler::createWithString(text)},
      {"planConstraints", Handler::createWithString(text)},
      {"paddingIndexUsed", Handler::createWithString(text)},
      {"remapOutOfBoundIndices", Handler::createWithString(text)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
  if (!slice && !update)
    throw poputil::poplibs_error("embedding::plan: used neither for slices nor for updates");
  SlicePartition partition; // groups are not cut
  if (groupSize == 1) {
    const auto& target = graph.getTarget();
    const auto most = std::max_element(numLookups.begin(), numLookups.end());
    partition =
        choosePartition({numEntries, outputSize, most == numLookups.end() ? 1 : *most,
                         static_cast<unsigned>(target.getTypeSize(dataType)), slice, update},
                        target.getNumTiles(), proportion * target.getBytesPerTile());
  }
  return SlicePlan(std::make_unique<SlicePlanInternal>(
      SlicePlanInternal{groupSize, numEntries, outputSize, partition}));
}

std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& parameters) {
  std::vector<SlicePlan> plans;
  for (const auto& p : parameters)
    plans.push_back(plan(p.graph, p.dataType, p.groupSize, p.numEntries, p.outputSize, p.numLookups,
                         p.optionFlags));
  return plans;
}

} // namespace embedding

Tensor createSliceableTensor(Graph& graph, const Type& type, const Sizes& shape, const Sizes& dims,
                             const Sizes& sizes, std::size_t minGrainSize,
                             const DebugContext& debugContext) {
  if (dims.size() != sizes.size())
    throw poputil::poplibs_error("createSliceableTensor: " + std::to_string(dims.size()) +
                                 " dimensions, " + std::to_string(sizes.size()) + " sizes");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const std::set<std::size_t> sliced(dims.begin(), dims.end());
  if (!sliced.empty() && *sliced.rbegin() >= shape.size())
    throw poputil::poplibs_error("createSliceableTensor: dimension " +
                                 std::to_string(*sliced.rbegin()) + " of a tensor of rank " +
                                 std::to_string(shape.size()));
  // Sliced dimensions outside, the others inside and spread.
  std::vector<unsigned> order(sliced.begin(), sliced.end());
  for (unsigned d = 0; d != shape.size(); ++d)
    if (!sliced.count(d))
      order.push_back(d);
  Sizes orderedShape;
  std::size_t numRows = 1, numColumns = 1;
  std::vector<unsigned> inverse(shape.size());
  for (unsigned i = 0; i != order.size(); ++i) {
    orderedShape.push_back(shape[order[i]]);
    (i < sliced.size() ? numRows : numColumns) *= shape[order[i]];
    inverse[order[i]] = i;
  }
  // Whole words, so that tiles do not share one.
  const auto& target = graph.getTarget();
  const auto grain =
      std::max({minGrainSize, std::size_t{1},
                std::size_t{target.getAtomicStoreGranularity()} / target.getTypeSize(type)});
  std::vector<TileColumns> tiles;
  const std::size_t numTiles = target.getNumTiles();
  const auto share = (((numColumns + numTiles - 1) / numTiles + grain - 1) / grain) * grain;
  for (std::size_t begin = 0; begin < numColumns; begin += share)
    tiles.push_back(
        {static_cast<unsigned>(tiles.size()), {{begin, std::min(begin + share, numColumns)}}});
  if (numRows == 0 || numColumns == 0)
    return graph.addVariable(type, shape, {di});
  return createByColumns(graph, type, numRows, tiles, {di, "sliceable"})
      .reshape(orderedShape)
      .dimShuffle(inverse);
}

Tensor createSliceableTensor(Graph& graph, const Type& type, const Sizes& shape, const Sizes& dims,
                             const Sizes& sizes, const SlicePlan& plan, const OptionFlags&,
                             const DebugContext& debugContext) {
  if (!isPartitioned(plan, shape, dims))
    return createSliceableTensor(graph, type, shape, dims, sizes, 0, debugContext);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto numRows = shape[dims[0]];
  const auto table = createTableByPlan(graph, type, numRows, product(shape) / numRows,
                                       plan.getImpl().partition, {di, "sliceable"});
  const auto d = static_cast<unsigned>(dims[0]);
  return rowsAsSlices(table, shape, d).squeeze({d + 1u}).dimRoll(0, d);
}

Tensor createGroupedSliceableTensor(Graph& graph, const Type& type, std::size_t groupSize,
                                    const Sizes& shape, const Sizes& dims, const Sizes& sizes,
                                    const SlicePlan&, const OptionFlags&,
                                    const DebugContext& debugContext) {
  auto grouped = shape;
  grouped.insert(grouped.begin(), groupSize);
  auto shifted = dims;
  for (auto& d : shifted)
    ++d;
  return createSliceableTensor(graph, type, grouped, shifted, sizes, 0, debugContext);
}

Tensor createSliceTensor(Graph& graph, const Tensor& t, const Sizes& dims, const Sizes& sizes,
                         std::size_t numIndices, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  auto slice = t;
  for (std::size_t i = 0; i != dims.size(); ++i)
    slice = slice.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  const auto row = slice.flatten().expand({0});
  auto shape = slice.shape();
  shape.insert(shape.begin(), numIndices);
  return createByColumns(graph, t.elementType(), numIndices, columnsByTile(graph, row),
                         {di, "slices"})
      .reshape(shape);
}

Tensor createSliceTensor(Graph& graph, const Type& type, const Sizes& shape, const Sizes& dims,
                         const Sizes& sizes, std::size_t numIndices, const SlicePlan& plan,
                         const OptionFlags&, const DebugContext& debugContext) {
  if (isPartitioned(plan, shape, dims) && numIndices) {
    const auto rows = createSlicesByPlan(graph, type, numIndices, product(shape) / shape[dims[0]],
                                         plan.getImpl().partition, {debugContext, "slices"});
    return rowsAsSlices(rows, shape, dims[0]);
  }
  auto all = shape;
  for (std::size_t i = 0; i != dims.size(); ++i)
    all.at(dims[i]) = sizes[i];
  all.insert(all.begin(), numIndices);
  Sizes sliced{0};
  for (auto d : dims)
    sliced.push_back(d + 1);
  return createSliceableTensor(graph, type, all, sliced, Sizes(sliced.size(), 1), 0, debugContext);
}

Tensor createGroupedSliceTensor(Graph& graph, const Type& type, std::size_t groupSize,
                                const Sizes& shape, const Sizes& dims, const Sizes& sizes,
                                std::size_t numIndices, const SlicePlan&, const OptionFlags&,
                                const DebugContext& debugContext) {
  auto all = shape;
  for (std::size_t i = 0; i != dims.size(); ++i)
    all.at(dims[i]) = sizes[i];
  all.insert(all.begin(), {groupSize, numIndices});
  Sizes sliced{1};
  for (auto d : dims)
    sliced.push_back(d + 2);
  return createSliceableTensor(graph, type, all, sliced, Sizes(sliced.size(), 1), 0, debugContext);
}

Tensor createIndicesTensor(Graph& graph, const Sizes& dims, std::size_t numIndices,
                           const SlicePlan&, const OptionFlags&, const DebugContext& debugContext) {
  const auto indices =
      graph.addVariable(poplar::UNSIGNED_INT, {numIndices, dims.size()}, debugContext);
  poputil::mapTensorLinearly(graph, indices);
  return indices;
}

Tensor createGroupedIndicesTensor(Graph& graph, std::size_t groupSize, const Sizes& dims,
                                  std::size_t numIndices, const SlicePlan&, const OptionFlags&,
                                  const DebugContext& debugContext) {
  const auto indices =
      graph.addVariable(poplar::UNSIGNED_INT, {groupSize, numIndices, dims.size()}, debugContext);
  poputil::mapTensorLinearly(graph, indices);
  return indices;
}

Tensor createSliceableTensorFromSlice(Graph& graph, const Tensor& s, const Sizes& dims,
                                      const Sizes& numSlices, const DebugContext& debugContext) {
  if (dims.size() != numSlices.size())
    throw poputil::poplibs_error("createSliceableTensorFromSlice: " + std::to_string(dims.size()) +
                                 " dimensions, " + std::to_string(numSlices.size()) +
                                 " numbers of slices");
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::size_t total = 1;
  for (auto n : numSlices)
    total *= n;
  const auto tiles = columnsByTile(graph, s.flatten().expand({0}));
  auto shape = s.shape();
  shape.insert(shape.begin(), numSlices.begin(), numSlices.end());
  auto t = createByColumns(graph, s.elementType(), total, tiles, {di, "sliceable"}).reshape(shape);
  // Merge each number of slices with its dimension: [n][..., size, ...] to [..., n * size, ...].
  for (std::size_t i = dims.size(); i-- > 0;) {
    const auto d = static_cast<unsigned>(dims[i]);
    const auto at = static_cast<unsigned>(i + d); // dimensions 0 .. i-1 are still to be merged
    t = t.dimRoll(static_cast<unsigned>(i), at).flatten(at, at + 2);
  }
  return t;
}

poplar::Graph::TileToTensorMapping getSliceMapping(Graph& graph, const Tensor& t, const Sizes& dims,
                                                   const Sizes& sizes) {
  auto slice = t;
  for (std::size_t i = 0; i != dims.size(); ++i)
    slice = slice.slice(0, sizes[i], static_cast<unsigned>(dims[i]));
  return graph.getTileMapping(slice);
}

} // namespace popops
