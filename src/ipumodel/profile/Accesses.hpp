// What one step reads and writes, as ranges of variables.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"

#include <cstdint>
#include <vector>

namespace ipumodel {

struct ElementRange {
  VarId var;
  std::uint64_t begin, end;
  friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

// Sorted by variable and begin, disjoint, neighbours merged.
using ElementRanges = std::vector<ElementRange>;

struct Accesses {
  ElementRanges reads;  // before the step writes anything
  ElementRanges writes; // certain: every element is overwritten
};

// Of a leaf, or of the decision a branch or loop takes; the programs inside are not included.
Accesses accessesOf(const GraphData& graph, const ProgramNode& node);

// The elements of a view, sorted and merged.
ElementRanges rangesOf(const View& view);

// Sorts and merges in place.
void normalise(ElementRanges& ranges);

} // namespace ipumodel
