// Spilling the spike history: what finally limits every strategy, since the spikes of all T steps
// are linear in T. The history is cut into blocks of steps; a few are held on chip, the others wait
// in Streaming Memory.
#pragma once

#include "plan/Schedule.hpp"

namespace spillway::plan {

// The same schedule with its ranges cut at the blocks' ends, and blocks written and read around
// them. A block is written once, the first time its buffer is wanted for another; of the blocks
// held, the one needed again last makes room (Belady's rule: the fewest reads there can be, the
// future being known).
//
// REQUIRES: the schedule's history is not spilled yet; blockSteps and numBuffers at least 1, else
// UserError. If all blocks fit the buffers nothing is transferred.
Schedule withSpilledSpikes(Schedule schedule, Step blockSteps, std::uint32_t numBuffers);

// How many actions are left after the cuts, transfers of blocks not counted.
std::uint64_t numPieces(const Schedule& schedule, Step blockSteps);

} // namespace spillway::plan
