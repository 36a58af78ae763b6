#include "graph/SameGraph.hpp"

#include "graph/Access.hpp"

#include <poplar/exceptions.hpp>

namespace ipumodel {

bool isOfGraph(const GraphData& graph, const poplar::Tensor& tensor) {
  return tensor.valid() && tensor.getImpl()->graph.get() == &graph;
}

std::string notOfGraph(const poplar::Tensor& tensor) {
  return tensor.valid() ? "tensor " + tensor.getDebugStr() + " belongs to another graph"
                        : "the tensor is invalid (default-constructed)";
}

const View& viewIn(const GraphData& graph, const poplar::Tensor& tensor, const char* use) {
  if (!isOfGraph(graph, tensor))
    throw poplar::poplar_error(std::string(use) + ": " + notOfGraph(tensor));
  return tensor.getImpl()->view;
}

bool isOrigin(const GraphOrigin& origin, const GraphData& graph) {
  const GraphOrigin own = graph.weak_from_this();
  return !origin.owner_before(own) && !own.owner_before(origin);
}

GraphOrigin originOf(const char* kind, const std::string& name,
                     poplar::ArrayRef<const poplar::Tensor*> tensors) {
  const GraphData* graph = nullptr;
  for (const poplar::Tensor* tensor : tensors) {
    if (graph == nullptr && tensor->valid())
      graph = tensor->getImpl()->graph.get();
    if (graph == nullptr || !isOfGraph(*graph, *tensor))
      throw poplar::poplar_error(std::string(kind) + " '" + name + "': " + notOfGraph(*tensor) +
                                 (tensor->valid() ? " than the program's other tensors" : ""));
  }
  return graph == nullptr ? GraphOrigin() : graph->weak_from_this();
}

} // namespace ipumodel
