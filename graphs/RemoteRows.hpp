// Rows in Streaming Memory of tensors that may lie on several IPUs: a remote buffer for each, as a
// buffer belongs to one IPU.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/RemoteBuffer.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace spillway {

class RemoteRows {
public:
  // The part of a row that lies on one IPU.
  struct Part {
    poplar::RemoteBuffer buffer;
    std::vector<poplar::Interval> columns; // in the order in which the buffer holds them
  };

  RemoteRows() = default;

  // tensor: [k, row size], what moves at a time; all that moves has its shape and the mapping of
  // its first row. The buffer of the first IPU is called `handle`, that of IPU i handle/ipu<i>.
  RemoteRows(poplar::Graph& graph, const std::string& handle, const poplar::Tensor& tensor,
             std::size_t numRows);

  // offsets: the k rows, INT or UNSIGNED_INT [k].
  poplar::program::Program write(const poplar::Tensor& tensor, const poplar::Tensor& offsets,
                                 const poplar::DebugContext& debugContext = {}) const;
  poplar::program::Program read(const poplar::Tensor& tensor, const poplar::Tensor& offsets,
                                const poplar::DebugContext& debugContext = {}) const;

  const std::vector<Part>& parts() const { return parts_; } // one, where one IPU has all
  std::size_t numBytes(const poplar::Graph& graph) const;   // of all rows

private:
  std::vector<Part> parts_;
};

} // namespace spillway
