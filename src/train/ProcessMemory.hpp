// Resident memory of this process, in bytes, as the kernel counts it.
#pragma once

#include <cstdint>

namespace spillway {

std::uint64_t residentMemoryBytes();
std::uint64_t peakMemoryBytes(); // the most so far, or since the last forgetPeakMemory()

// Has large blocks given back as soon as they are freed. The C library would else learn from the
// first one it gives back to keep those that follow, some 30 MB in programs that load weights.
void giveBackLargeBlocks();

// Gives free memory back, so that what is resident is in use, and starts the peak anew.
void forgetPeakMemory();

} // namespace spillway
