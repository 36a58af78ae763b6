// A schedule as the device reads it.
#pragma once

#include "plan/Schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway {

// kActionWords words per action, with the loss after the last forward step and kEnd at the end.
// REQUIRES: the first executions of all steps come before any light or backward step.
std::vector<unsigned> encodeSchedule(const plan::Schedule& schedule);

// The forward pass alone, in one slot and one history buffer of historySteps steps.
std::vector<unsigned> encodeForwardOnly(plan::Step numSteps, plan::Step historySteps);

// The same in pages of plan::kActionsPerPage, each but the last ending in kNextPage; the first
// one's row is firstRow.
std::vector<unsigned> inPages(const std::vector<unsigned>& table, std::uint32_t firstRow);

} // namespace spillway
