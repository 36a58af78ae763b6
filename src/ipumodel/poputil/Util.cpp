#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <cmath>
#include <limits>

namespace poputil {

using poplar::Interval;
using Regions = std::vector<Interval>;

void mergeAdjacentRegions(Regions& regions) {
  std::sort(regions.begin(), regions.end());
  Regions merged;
  for (const auto& region : regions) {
    if (region.size() == 0)
      continue;
    if (!merged.empty() && merged.back().end() >= region.begin())
      merged.back() = Interval(merged.back().begin(), std::max(merged.back().end(), region.end()));
    else
      merged.push_back(region);
  }
  regions = std::move(merged);
}

void mergeAdjacentRegions(std::vector<Regions>& mapping) {
  for (auto& regions : mapping)
    mergeAdjacentRegions(regions);
}

namespace {

// How many parts, and where the cuts fall, counted in elements from the start.
std::vector<std::size_t> cutPoints(std::size_t numElements, unsigned grainSize,
                                   unsigned maxPartitions, unsigned minElementsPerPartition,
                                   unsigned maxElementsPerPartition) {
  const std::size_t grain = std::max(grainSize, 1u);
  const std::size_t numGrains = (numElements + grain - 1) / grain;
  std::size_t parts = std::min<std::size_t>(maxPartitions, numGrains);
  if (minElementsPerPartition > 0) {
    const std::size_t minGrains = (minElementsPerPartition + grain - 1) / grain;
    parts = std::min(parts, std::max<std::size_t>(numGrains / minGrains, 1));
  }
  const std::size_t maxGrains = std::max<std::size_t>(maxElementsPerPartition / grain, 1);
  parts = std::max(parts, (numGrains + maxGrains - 1) / maxGrains);
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i <= parts; ++i) // the larger parts first
    cuts.push_back(std::min((i * numGrains + parts - 1) / parts * grain, numElements));
  return cuts;
}

} // namespace

std::vector<std::vector<Regions>> splitRegions(const std::vector<Regions>& sequences,
                                               unsigned grainSize, unsigned maxPartitions,
                                               unsigned minElementsPerPartition,
                                               unsigned maxElementsPerPartition,
                                               unsigned maxElementsPerRegion) {
  const auto total = intervalSequenceNumElements(sequences);
  std::vector<std::vector<Regions>> partitions;
  if (total == 0)
    return partitions;
  const auto cuts =
      cutPoints(total, grainSize, maxPartitions, minElementsPerPartition, maxElementsPerPartition);
  partitions.resize(cuts.size());
  std::size_t part = 0, position = 0;
  for (const auto& sequence : sequences) {
    std::size_t inSequence = maxElementsPerRegion; // of the one being filled: none yet
    for (const auto& region : sequence) {
      for (auto begin = region.begin(); begin < region.end();) {
        while (position == cuts[part]) {
          ++part;
          inSequence = maxElementsPerRegion;
        }
        if (inSequence == maxElementsPerRegion) {
          partitions[part].emplace_back();
          inSequence = 0;
        }
        const auto room =
            std::min<std::size_t>(cuts[part] - position, maxElementsPerRegion - inSequence);
        const auto end = std::min(region.end(), begin + room);
        partitions[part].back().emplace_back(begin, end);
        inSequence += end - begin;
        position += end - begin;
        begin = end;
      }
    }
  }
  return partitions;
}

std::vector<Regions> splitRegions(const Regions& regions, unsigned grainSize,
                                  unsigned maxPartitions, unsigned minElementsPerPartition,
                                  unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
  std::vector<Regions> sequences;
  for (const auto& region : regions)
    sequences.push_back({region});
  std::vector<Regions> flat;
  for (const auto& partition :
       splitRegions(sequences, grainSize, maxPartitions, minElementsPerPartition,
                    maxElementsPerPartition, maxElementsPerRegion)) {
    flat.emplace_back();
    for (const auto& sequence : partition)
      flat.back().insert(flat.back().end(), sequence.begin(), sequence.end());
  }
  return flat;
}

std::vector<Regions> splitRegionsBetweenWorkers(const poplar::Target& target,
                                                const Regions& regions, unsigned grainSize,
                                                unsigned minElementsPerPartition,
                                                unsigned maxElementsPerPartition,
                                                unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

std::vector<std::vector<Regions>>
splitRegionsBetweenWorkers(const poplar::Target& target, const std::vector<Regions>& regions,
                           unsigned grainSize, unsigned minElementsPerPartition,
                           unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

std::size_t intervalSequenceNumElements(const std::vector<Regions>& seq) {
  std::size_t sum = 0;
  for (const auto& regions : seq)
    for (const auto& region : regions)
      sum += region.size();
  return sum;
}

poplar::Tensor cloneN(poplar::Graph& graph, const poplar::Tensor& t, unsigned N,
                      const poplar::DebugContext& debugContext, poplar::TensorCloneMethod method) {
  PoplibsOpDebugInfo di(debugContext, DI_ARGS(t, N));
  std::vector<poplar::Tensor> clones;
  for (unsigned i = 0; i != N; ++i)
    clones.push_back(graph.clone(t, {di, std::to_string(i)}, method).expand({0}));
  return poplar::concat(clones);
}

std::vector<int> balancedPartition(int rangeUpperBound, int splitCount) {
  if (rangeUpperBound <= 0 || splitCount <= 0)
    throw poplibs_error("balancedPartition: " + std::to_string(rangeUpperBound) +
                        " cannot be split into " + std::to_string(splitCount) +
                        " parts; both must be positive");
  std::vector<int> sizes(static_cast<std::size_t>(splitCount), rangeUpperBound / splitCount);
  for (int i = 0; i != rangeUpperBound % splitCount; ++i)
    ++sizes[static_cast<std::size_t>(i)];
  return sizes;
}

std::vector<Interval> calculateUnshufflingIntervals(const std::vector<Interval>& intervals) {
  std::vector<std::pair<std::size_t, Interval>> placed; // where from, and where it is now
  std::size_t position = 0;
  for (const Interval& interval : intervals) {
    placed.emplace_back(interval.begin(), Interval(position, position + interval.size()));
    position += interval.size();
  }
  std::sort(placed.begin(), placed.end());
  std::vector<Interval> unshuffling;
  for (const auto& piece : placed)
    unshuffling.push_back(piece.second);
  return unshuffling;
}

poplar::Tensor factorDims(const poplar::Tensor& t, const std::vector<std::size_t>& factors,
                          unsigned startDim) {
  const auto numDims = static_cast<unsigned>(factors.size());
  if (startDim + numDims > t.rank())
    throw poplibs_error("factorDims: " + std::to_string(numDims) + " dimensions from " +
                        std::to_string(startDim) + " on of a tensor of rank " +
                        std::to_string(t.rank()));
  std::vector<std::size_t> split;
  std::vector<unsigned> order(t.rank() + numDims);
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned i = 0; i != numDims; ++i) {
    const auto n = t.dim(startDim + i);
    if (factors[i] == 0 || n % factors[i] != 0)
      throw poplibs_error("factorDims: " + std::to_string(factors[i]) + " does not divide " +
                          std::to_string(n));
    split.push_back(n / factors[i]);
    split.push_back(factors[i]);
    order[startDim + i] = startDim + 2 * i;
    order[startDim + numDims + i] = startDim + 2 * i + 1;
  }
  return t.reshapePartial(startDim, startDim + numDims, split).dimShuffle(order);
}

poplar::Tensor unfactorDims(const poplar::Tensor& t, unsigned numDims, unsigned startDim) {
  if (startDim + 2 * numDims > t.rank())
    throw poplibs_error("unfactorDims: " + std::to_string(numDims) + " split dimensions from " +
                        std::to_string(startDim) + " on of a tensor of rank " +
                        std::to_string(t.rank()));
  std::vector<std::size_t> joined;
  std::vector<unsigned> order(t.rank());
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned i = 0; i != numDims; ++i) {
    joined.push_back(t.dim(startDim + i) * t.dim(startDim + numDims + i));
    order[startDim + 2 * i] = startDim + i;
    order[startDim + 2 * i + 1] = startDim + numDims + i;
  }
  return t.dimShuffle(order).reshapePartial(startDim, startDim + 2 * numDims, joined);
}

std::vector<Interval> flattenIntervals(const std::vector<std::vector<Interval>>& intervals) {
  std::vector<Interval> all;
  for (const auto& some : intervals)
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

double castToDeviceHalfValue(const poplar::Target& target, double input) {
  const auto value = static_cast<float>(input);
  std::uint16_t bits = 0;
  float rounded = 0;
  poplar::copyFloatToDeviceHalf(target, &value, &bits, 1);
  poplar::copyDeviceHalfToFloat(target, &bits, &rounded, 1);
  return static_cast<double>(rounded);
}

bool checkAccuracyWhenCast(const poplar::Target& target, double input, poplar::Type inputType,
                           poplar::Type outputType, double tolerance) {
  if (inputType != poplar::FLOAT || outputType != poplar::HALF)
    return true;
  const double value = static_cast<double>(static_cast<float>(input));
  const double rounded = castToDeviceHalfValue(target, value);
  return std::isfinite(rounded) && std::abs(rounded - value) <= tolerance * std::abs(value);
}

} // namespace poputil
