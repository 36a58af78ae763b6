// What the cpu device shares a budget of resident memory with.
#pragma once

#include "config/Settings.hpp"

#include <cstdint>

namespace spillway {

std::uint64_t hostMemoryBytes();

// Of checkpoint.memoryBudget, what is left for the device: the program and its data take what they
// have by now and what is known to come. 0, which nothing fits, where that is more than the budget.
std::uint64_t deviceBudget(const Settings& settings);

// Memory for a batch's events: data.batchMemory, or where there is none a share of the budget.
// Gated layers take a batch from memory alone.
std::uint64_t batchMemoryOf(const Settings& settings);

} // namespace spillway
