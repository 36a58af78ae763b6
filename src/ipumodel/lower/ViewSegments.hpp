// Where the elements of a view lie in the memory of the variables.
#pragma once

#include "graph/View.hpp"
#include "lower/Moves.hpp"

#include <cstdint>
#include <vector>

namespace ipumodel {

// Byte offsets of the variables, by VarId.
using VariableOffsets = std::vector<std::uint64_t>;

// Appends the view's elements in row-major order; a segment that continues the last one joins it.
void appendSegments(const View& view, const VariableOffsets& offsets,
                    std::vector<Segment>& segments);

std::vector<Segment> segmentsOf(const View& view, const VariableOffsets& offsets);

// `numElements` of them, one after the other from `offset` on.
std::vector<Segment> packedSegments(std::uint64_t offset, std::uint64_t numElements,
                                    std::uint64_t elementBytes);

// True when two lists share a byte.
bool overlap(const std::vector<Segment>& a, const std::vector<Segment>& b,
             std::uint64_t elementBytes);

} // namespace ipumodel
