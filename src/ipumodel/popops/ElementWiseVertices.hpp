// Spreads an element-wise operation over the tiles that hold its output.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <functional>
#include <string>
#include <vector>

namespace popops {

// How the elements of a broadcast operand repeat in the output's order: element j of the output
// meets element (j / repeat) % period.
struct BroadcastPattern {
  std::size_t period = 0, repeat = 1;
};

// What one input field reads. `elements` has the shape of the output, or one element, which all
// share. Where `pattern` has a period, `compact` holds that many elements, and a vertex that can
// broadcast by itself is connected to those.
struct Operand {
  std::string field;
  poplar::Tensor elements;
  BroadcastPattern pattern;
  poplar::Tensor compact;
};

// The operand of an output of that shape. A broadcast that is neither a scalar nor a pattern is
// expanded as a view.
Operand makeOperand(const std::string& field, const poplar::Tensor& t,
                    const std::vector<std::size_t>& outputShape);

// The fields that say how the second operand repeats, in vertices that have them.
enum class PatternFields { Absent, Present };

struct VertexNames {
  std::string oneRegion;   // a MultiVertex for one contiguous region
  std::string manyRegions; // a Vertex for several, one per worker; may not exist in the graph
};

// Adds vertices to the compute set, on the tiles of `out`: one MultiVertex where a tile has one
// contiguous region, else one Vertex per worker (or, where there is none for the type, one
// MultiVertex for each region). `setFields` sets the rest of their fields. REQUIRES: out is mapped
// and parallel writeable.
void addElementWiseVertices(poplar::Graph& graph, const poplar::ComputeSet& cs,
                            const poplar::Tensor& out, const std::string& outField,
                            std::vector<Operand> operands, const VertexNames& names,
                            PatternFields patternFields,
                            const std::function<void(poplar::VertexRef)>& setFields);

} // namespace popops
