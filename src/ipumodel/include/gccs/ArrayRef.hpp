// The SDK's later versions share ArrayRef with their other tools under this name.
#pragma once

#include <poplar/ArrayRef.hpp>

namespace gccs {

using poplar::ArrayRef;

} // namespace gccs
