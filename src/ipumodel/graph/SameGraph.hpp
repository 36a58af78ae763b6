// A tensor belongs to the graph that made it, and to the virtual graphs of that one. Variables are
// numbers, so in another graph it would stand for something else without anybody noticing.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/View.hpp"

#include <poplar/ArrayRef.hpp>
#include <poplar/Tensor.hpp>

#include <memory>
#include <string>

namespace ipumodel {

// Whether a tensor is valid and of that graph; if not, notOfGraph says so in words and names it.
bool isOfGraph(const GraphData& graph, const poplar::Tensor& tensor);
std::string notOfGraph(const poplar::Tensor& tensor);

// The tensor's view. Throws poplar::poplar_error unless it is valid and of that graph; `use` begins
// the message.
const View& viewIn(const GraphData& graph, const poplar::Tensor& tensor, const char* use);

// A graph that a program was made for. It may be gone, and another one at the same address is not
// taken for it.
using GraphOrigin = std::weak_ptr<const GraphData>;

bool isOrigin(const GraphOrigin& origin, const GraphData& graph);

// The graph of the tensors of one program. Throws poplar::poplar_error unless all are valid and of
// one graph; `kind` and `name` are the program's.
GraphOrigin originOf(const char* kind, const std::string& name,
                     poplar::ArrayRef<const poplar::Tensor*> tensors);

} // namespace ipumodel
