#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

// How a new variable is put on tiles: not at all, or in equal contiguous parts over all of them.
enum class VariableMappingMethod { NONE, LINEAR };

std::string toString(const VariableMappingMethod& method);
std::ostream& operator<<(std::ostream& os, const VariableMappingMethod& method);

} // namespace poplar
