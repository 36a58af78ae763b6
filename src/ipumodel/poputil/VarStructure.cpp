#include <poputil/VarStructure.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace poputil {
namespace {

using Sizes = std::vector<std::size_t>;

// The largest divisor of `period` whose multiples contain every place where memory or tile changes.
std::size_t groupSize(const poplar::Graph& graph, const poplar::Tensor& t, std::size_t period) {
  std::size_t size = period;
  for (const auto& region : t.getContiguousRegions())
    size = std::gcd(size, region.begin() % period);
  for (const auto& regions : graph.getTileMapping(t, false))
    for (const auto& region : regions)
      size = std::gcd(std::gcd(size, region.begin() % period), region.end() % period);
  return size;
}

} // namespace

unsigned detectInnermostGrouping(const poplar::Graph& graph, const poplar::Tensor& t) {
  if (t.rank() == 0)
    throw poplibs_error("detectInnermostGrouping: the tensor is a scalar");
  if (t.numElements() == 0)
    return 0;
  return static_cast<unsigned>(groupSize(graph, t.flatten(), t.dim(t.rank() - 1)));
}

std::vector<GroupingInfo> detectDimGroupings(const poplar::Graph& graph, const poplar::Tensor& t) {
  if (t.rank() == 0)
    throw poplibs_error("detectDimGroupings: the tensor is a scalar");
  std::vector<GroupingInfo> groupings;
  if (t.numElements() == 0)
    return groupings;
  // `left` has one more dimension than t: the groups found so far, innermost.
  auto left = t.expand({t.rank()});
  for (;;) {
    const std::size_t found = left.dim(left.rank() - 1);
    GroupingInfo best{0, 1};
    for (unsigned d = 0; d != t.rank(); ++d) {
      if (left.dim(d) == 1)
        continue;
      const auto inner = left.dimRoll(d, left.rank() - 2);
      const auto size = groupSize(graph, inner.flatten(), left.dim(d) * found);
      if (size > found && size % found == 0 && size / found > best.second)
        best = {d, static_cast<unsigned>(size / found)};
    }
    if (best.second == 1)
      return groupings;
    groupings.push_back(best);
    const auto d = best.first;
    const auto split = left.reshapePartial(d, d + 1, {left.dim(d) / best.second, best.second});
    left = split.dimRoll(d + 1, split.rank() - 2).flatten(split.rank() - 2, split.rank());
  }
}

namespace {

// All of ceil(size / count) elements but the last ones, which may be empty.
poplar::Interval partition(std::size_t size, std::size_t count, std::size_t index) {
  const auto each = (size + count - 1) / count;
  return {std::min(index * each, size), std::min((index + 1) * each, size)};
}

} // namespace

poplar::Tensor createPartitionableTensor(poplar::Graph& graph, const poplar::Type& type,
                                         const Sizes& shape, const Sizes& nPartitions,
                                         const poplar::DebugContext& debugContext) {
  if (shape.size() != nPartitions.size())
    throw poplibs_error("createPartitionableTensor: shape has " + std::to_string(shape.size()) +
                        " dimensions, nPartitions " + std::to_string(nPartitions.size()));
  const auto numElements =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  const auto flat = graph.addVariable(type, {numElements}, debugContext);
  // Takes the partitions from `flat` in order, and joins them dimension by dimension.
  std::size_t used = 0;
  std::function<poplar::Tensor(Sizes, std::size_t)> build = [&](Sizes part, std::size_t d) {
    if (d == shape.size()) {
      const auto size =
          std::accumulate(part.begin(), part.end(), std::size_t{1}, std::multiplies<>());
      used += size;
      return flat.slice(used - size, used).reshape(part);
    }
    std::vector<poplar::Tensor> slices;
    for (std::size_t i = 0; i != nPartitions[d]; ++i) {
      part.push_back(partition(shape[d], nPartitions[d], i).size());
      slices.push_back(build(part, d + 1));
      part.pop_back();
    }
    return poplar::concat(slices, static_cast<unsigned>(d));
  };
  return build({}, 0);
}

void iterateTensorPartitions(
    const poplar::Tensor& t, const Sizes& nPartitions,
    const std::function<void(const Sizes& i, const poplar::Tensor& s)>& f) {
  if (t.rank() != nPartitions.size())
    throw poplibs_error("iterateTensorPartitions: the tensor has " + std::to_string(t.rank()) +
                        " dimensions, nPartitions " + std::to_string(nPartitions.size()));
  Sizes index;
  std::function<void(const poplar::Tensor&)> visit = [&](const poplar::Tensor& slice) {
    const auto d = index.size();
    if (d == nPartitions.size())
      return f(index, slice);
    const auto dim = static_cast<unsigned>(d);
    for (std::size_t i = 0; i != nPartitions[d]; ++i) {
      index.push_back(i);
      visit(slice.slice(partition(t.dim(dim), nPartitions[d], i), dim));
      index.pop_back();
    }
  };
  visit(t);
}

} // namespace poputil
