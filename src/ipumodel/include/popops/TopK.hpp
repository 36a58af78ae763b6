// The largest or smallest elements of the innermost dimension.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/SortOrder.hpp>

#include <iosfwd>
#include <utility>
#include <vector>

namespace popops {

struct TopKParams {
  unsigned k;          ///< at most the size of the innermost dimension
  bool largest;        ///< else the smallest
  SortOrder sortOrder; ///< of the result
  bool stableSort;     ///< results are stable in any case: of equal elements the first one wins

  TopKParams(unsigned numElements, bool takeLargest, SortOrder order, bool stable = false) noexcept;
};

std::ostream& operator<<(std::ostream& os, const TopKParams& p);

/// A tensor laid out for topK: rows lie on single tiles where there are enough of them.
poplar::Tensor createTopKInput(poplar::Graph& graph, const poplar::Type& type,
                               const std::vector<std::size_t>& shape, const TopKParams& params,
                               const poplar::DebugContext& debugContext = {});

/// The k elements: shape of `t` with k as last dimension. FLOAT, HALF, INT, UNSIGNED_INT.
poplar::Tensor topK(poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& t,
                    const TopKParams& params, const poplar::DebugContext& debugContext = {});

/// The k keys, and the values at their places.
std::pair<poplar::Tensor, poplar::Tensor>
topKKeyValue(poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& keys,
             const poplar::Tensor& values, const TopKParams& params,
             const poplar::DebugContext& debugContext = {});

/// The k elements, and their indices in the innermost dimension as UNSIGNED_INT.
std::pair<poplar::Tensor, poplar::Tensor>
topKWithPermutation(poplar::Graph& graph, poplar::program::Sequence& prog, const poplar::Tensor& t,
                    const TopKParams& params, const poplar::DebugContext& debugContext = {});

} // namespace popops
