// Resident memory of this process, in bytes, as the kernel counts it.
#pragma once

#include <cstdint>

namespace spillway {

std::uint64_t residentMemoryBytes();
std::uint64_t peakMemoryBytes(); // the most so far, or since the last forgetPeakMemory()

// Gives free memory back, so that what is resident is in use, and starts the peak anew.
void forgetPeakMemory();

} // namespace spillway
