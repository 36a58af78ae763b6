// From the public handles to what they stand for.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "graph/View.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <memory>

namespace ipumodel {

// What poplar::Tensor points to.
struct TensorData {
  std::shared_ptr<GraphData> graph;
  View view;
};

// Throws poplar::poplar_error for an invalid tensor.
const View& viewOf(const poplar::Tensor& tensor);
poplar::Tensor makeTensor(std::shared_ptr<GraphData> graph, View view);

inline GraphData& dataOf(poplar::Graph& graph) {
  return *graph.getImpl();
}
inline const GraphData& dataOf(const poplar::Graph& graph) {
  return *graph.getImpl();
}
inline const ProgramPtr& nodeOf(const poplar::program::Program& program) {
  return program.getImpl();
}

} // namespace ipumodel
