// Tensors laid out for copies from and to the host or remote buffers.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <vector>

namespace popops {

/// UNSIGNED_INT rows, one for each row of `tensor`.
struct IndicesAndTensor {
  poplar::Tensor indices;
  poplar::Tensor tensor;
};

/// REQUIRES: shape is {rows copied at a time, elements of a row}.
IndicesAndTensor createHostSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& shape, bool isRead,
                                           const poplar::DebugContext& debugContext = {});

poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            const poplar::DebugContext& debugContext = {});
poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                            const std::vector<std::size_t>& shape, bool isRead,
                                            std::size_t offset,
                                            const poplar::DebugContext& debugContext = {});

} // namespace popops
