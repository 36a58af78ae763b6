// What the cpu device shares a budget of resident memory with.
#pragma once

#include "config/Settings.hpp"

#include <cstdint>

namespace spillway {

std::uint64_t hostMemoryBytes();

// What the program and its data have taken by now, and are known to take still, but for a batch.
std::uint64_t takenByTheProgram(const Settings& settings);

// Of checkpoint.memoryBudget, what is left for the device beside that and a batch. 0, which nothing
// fits, where there is nothing left.
std::uint64_t deviceBudget(const Settings& settings, std::uint64_t takenBytes);

// The checkpoint.memoryBudget, in whole MiB, that leaves so much for the device.
std::uint64_t budgetLeaving(Settings settings, std::uint64_t deviceBytes, std::uint64_t takenBytes);

// Memory for a batch's events: data.batchMemory, or where there is none a share of the budget.
// Gated layers take a batch from memory alone.
std::uint64_t batchMemoryOf(const Settings& settings);

} // namespace spillway
