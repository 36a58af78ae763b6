// Which tile reduces which elements: the first step of a reduction, where the data lies.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <cstddef>
#include <vector>

namespace popops {

// Elements of one tile that reduce to outputs [begin, end): a matrix of `numPartials` rows, in the
// order of memory. With byRows, each output's elements are one row of `input` (outputs x length);
// otherwise each partial is a row (partials x outputs).
struct ReduceBlock {
  unsigned tile;
  poplar::Interval outputs;
  bool byRows;
  std::size_t numPartials; // elements for each output
  poplar::Tensor input;    // flat, outputs.size() * numPartials elements
};

// Outputs of one tile whose elements lie apart: output outputs[i] is reduced from pieces[i].
struct ReduceScatter {
  unsigned tile;
  std::vector<std::size_t> outputs;
  std::vector<std::vector<poplar::Tensor>> pieces;
};

struct ReducePlan {
  std::vector<ReduceBlock> blocks;
  std::vector<ReduceScatter> scatters;
};

// `in` has shape [outputs][reduced].
ReducePlan planReduction(const poplar::Graph& graph, const poplar::Tensor& in);

} // namespace popops
