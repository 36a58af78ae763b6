// A circular buffer of tensors.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <vector>

namespace popops {

class CircBuf {
public:
  /// `size` entries of `shape`; the newest has index 0 before the first add().
  CircBuf(poplar::Graph& graph, const poplar::Type& dataType, unsigned size,
          const std::vector<std::size_t>& shape, const poplar::DebugContext& debugContext = {});

  /// The entry added i calls of add() before the newest. REQUIRES: i < size().
  poplar::Tensor prev(unsigned i, poplar::program::Sequence& seq,
                      const poplar::DebugContext& debugContext = {});

  /// Puts `t` in place of the oldest entry.
  void add(poplar::Tensor t, poplar::program::Sequence& seq,
           const poplar::DebugContext& debugContext = {});

  /// Where the newest entry is.
  poplar::Tensor getIndex() const { return index_; }
  unsigned size() const { return size_; }

private:
  poplar::Graph& graph_;
  unsigned size_;
  std::vector<std::size_t> shape_;
  poplar::Tensor index_, entries_;
};

} // namespace popops
