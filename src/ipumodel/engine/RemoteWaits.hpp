// Which instructions have to wait for a remote read that is under way.
#pragma once

#include "lower/LoweredProgram.hpp"

#include <cstdint>
#include <vector>

namespace ipumodel {

// Bit i of an instruction's entry: it may touch a variable that remote copy i reads into. Empty
// where there are more remote copies than bits.
std::vector<std::uint64_t> remoteWaits(const LoweredProgram& program);

} // namespace ipumodel
