// What the model knows about an element type beyond its name.
#pragma once

#include <poplar/Type.hpp>

#include <cstddef>

namespace ipumodel {

// Bytes of one element in host memory and on a tile. `long` has the host's size, since codelets are
// compiled for the host. Throws poplar::type_error for the type that no tensor has.
std::size_t sizeOf(poplar::Type type);

bool isSigned(poplar::Type type);
bool isIntegral(poplar::Type type); // BOOL is not

} // namespace ipumodel
