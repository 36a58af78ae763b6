// How a tensor lies in memory: groups of neighbouring elements, and partitions.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace poputil {

/// The largest number of neighbours in the innermost dimension that are always contiguous in one
/// variable and on one tile; it divides that dimension. Throws poplibs_error for a scalar.
unsigned detectInnermostGrouping(const poplar::Graph& graph, const poplar::Tensor& t);

/// A dimension and the size of a group in it.
using GroupingInfo = std::pair<unsigned, unsigned>;

/// All groupings of more than one element, innermost first; a dimension may occur again.
std::vector<GroupingInfo> detectDimGroupings(const poplar::Graph& graph, const poplar::Tensor& t);

/// A tensor each of whose partitions, nPartitions[d] in dimension d, is contiguous. Dimensions are
/// split into parts of ceil(n/d) elements, the last ones smaller. It is not mapped to tiles.
poplar::Tensor createPartitionableTensor(poplar::Graph& graph, const poplar::Type& type,
                                         const std::vector<std::size_t>& shape,
                                         const std::vector<std::size_t>& nPartitions,
                                         const poplar::DebugContext& debugContext = {});

/// Calls `f` with the index and the slice of every partition, in row-major order.
void iterateTensorPartitions(
    const poplar::Tensor& t, const std::vector<std::size_t>& nPartitions,
    const std::function<void(const std::vector<std::size_t>& i, const poplar::Tensor& s)>& f);

} // namespace poputil
