// What a vertex reads of a block's rows: [sample][row][...].
#pragma once

#include "graphs/Geometry.hpp"

namespace spillway {

struct RowView {
  poplar::Tensor tensor; // flat
  std::uint32_t rows;    // per sample
  std::uint32_t first;   // of them, the row of the block's first step
};

// The rows of a block's steps, of which the first is `first`, in a tensor of slabRows() rows a
// sample: those alone where they have to be received, all where they are read in place.
inline RowView blockRows(const poplar::Graph& graph, const Geometry& geometry,
                         const poplar::Tensor& tensor, std::uint32_t first) {
  if (!Geometry::exchanges(graph)) {
    return {tensor, geometry.slabRows(), first};
  }
  const std::size_t samples = geometry.sequence.numSamples, rows = geometry.slabRows();
  const std::uint32_t steps = geometry.sequence.blockSteps;
  return {tensor.reshape({samples, rows, tensor.numElements() / samples / rows})
              .slice(first, first + steps, 1)
              .flatten(),
          steps, 0};
}

} // namespace spillway
