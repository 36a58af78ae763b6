// Regions of tensors: splitting them between workers, indices, copies.
#pragma once

#include <poplar/Device.hpp>
#include <poplar/Graph.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>

#include <algorithm>
#include <cassert>
#include <climits>
#include <string>
#include <vector>

namespace poputil {

/// Where they were in earlier versions of the SDK.
using poplar::createConstantMetadataTensor;
using poplar::createVariableMetadataTensor;

/// Sorts the regions and joins those that touch.
void mergeAdjacentRegions(std::vector<poplar::Interval>& regions);
void mergeAdjacentRegions(std::vector<std::vector<poplar::Interval>>& mapping);

/// All intervals, in order.
std::vector<poplar::Interval>
flattenIntervals(const std::vector<std::vector<poplar::Interval>>& intervals);

/// Splits regions into at most `maxPartitions` lists of nearly equal numbers of elements. Cuts fall
/// on multiples of `grainSize` from the start of the regions laid end to end.
std::vector<std::vector<poplar::Interval>>
splitRegions(const std::vector<poplar::Interval>& regions, unsigned grainSize,
             unsigned maxPartitions, unsigned minElementsPerPartition = 0,
             unsigned maxElementsPerPartition = UINT_MAX, unsigned maxElementsPerRegion = UINT_MAX);

/// The same for the worker contexts of a tile.
std::vector<std::vector<poplar::Interval>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<poplar::Interval>& regions, unsigned grainSize,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = UINT_MAX,
    unsigned maxElementsPerRegion = UINT_MAX);

/// The same for sequences of regions, each of which is contiguous in memory. maxElementsPerRegion
/// limits the elements of a sequence.
std::vector<std::vector<std::vector<poplar::Interval>>>
splitRegions(const std::vector<std::vector<poplar::Interval>>& regions, unsigned grainSize,
             unsigned maxPartitions, unsigned minElementsPerPartition = 0,
             unsigned maxElementsPerPartition = UINT_MAX, unsigned maxElementsPerRegion = UINT_MAX);
std::vector<std::vector<std::vector<poplar::Interval>>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<std::vector<poplar::Interval>>& regions,
    unsigned grainSize, unsigned minElementsPerPartition = 0,
    unsigned maxElementsPerPartition = UINT_MAX, unsigned maxElementsPerRegion = UINT_MAX);

/// Coordinates of the element with that index in row-major order.
template <class T>
std::vector<T> unflattenIndex(const std::vector<T>& shape, std::size_t index) {
  std::vector<T> coordinates(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = static_cast<T>(index % shape[d]);
    index /= shape[d];
  }
  assert(index == 0);
  return coordinates;
}

/// The inverse.
template <class T>
std::size_t flattenIndex(const std::vector<T>& shape, const std::vector<T>& indices) {
  assert(shape.size() == indices.size());
  std::size_t index = 0;
  for (std::size_t d = 0; d != shape.size(); ++d)
    index = index * shape[d] + indices[d];
  return index;
}

std::size_t intervalSequenceNumElements(const std::vector<std::vector<poplar::Interval>>& seq);

/// A clone of `in` with a copy of its data.
poplar::Tensor duplicate(
    poplar::Graph& graph, const poplar::Tensor& in, poplar::program::Sequence& p,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// N clones of `t` along a new outermost dimension.
poplar::Tensor
cloneN(poplar::Graph& graph, const poplar::Tensor& t, unsigned N,
       const poplar::DebugContext& debugContext = {},
       poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

/// `rangeUpperBound` split into `splitCount` sizes that differ by at most one, larger ones first.
std::vector<int> balancedPartition(int rangeUpperBound, int splitCount);

/// For intervals that name a permutation of [0, n) by which a tensor was sliced and concatenated:
/// the intervals of the result that, sliced and concatenated, give the original again.
std::vector<poplar::Interval>
calculateUnshufflingIntervals(const std::vector<poplar::Interval>& intervals);

/// A view in which dimension startDim + i, of n elements, is split into n / factors[i] and
/// factors[i]; the latter follow behind all the former. unfactorDims() of as many dimensions is its
/// inverse. REQUIRES: factors divide their dimensions.
poplar::Tensor factorDims(const poplar::Tensor& t, const std::vector<std::size_t>& factors,
                          unsigned startDim = 0);
poplar::Tensor unfactorDims(const poplar::Tensor& t, unsigned numDims, unsigned startDim = 0);

/// The nearest value of a HALF.
double castToDeviceHalfValue(const poplar::Target& target, double input);

/// Whether `input`, a value of `inputType`, keeps its value within the relative `tolerance` when it
/// is cast to `outputType`.
bool checkAccuracyWhenCast(const poplar::Target& target, double input, poplar::Type inputType,
                           poplar::Type outputType, double tolerance);

} // namespace poputil
