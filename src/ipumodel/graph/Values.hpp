// Host values of any arithmetic type, to and from the bytes the device holds.
#pragma once

#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

#include <cstddef>
#include <vector>

namespace ipumodel {

// Converts `count` host values to device elements. Throws poplar::type_error for a device type that
// has no host values (QUARTER).
std::vector<std::byte> toDevice(const void* values, const poplar::TypeTraits& traits,
                                std::size_t count, poplar::Type type);

// The inverse.
void toHost(const std::byte* bytes, poplar::Type type, std::size_t count, void* values,
            const poplar::TypeTraits& traits);

} // namespace ipumodel
