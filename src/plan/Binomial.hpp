// Binomial checkpointing (Griewank and Walther's Revolve) for a chain whose backward of a step
// needs the state after it.
#pragma once

#include "plan/Schedule.hpp"

#include <cstdint>
#include <vector>

namespace spillway::plan {

class ScheduleBuilder;

// P(n, s): the fewest steps run forward to reverse n states that follow a restartable base, with s
// slots for them. rho (n+1) - C(s+rho, rho-1) with the least rho for which C(s+rho, rho) >= n+1.
// REQUIRES: s >= 1 or n == 0, and s < 2^31.
std::uint64_t binomialSteps(std::uint64_t numStates, std::uint64_t numSlots);

// P(0 .. maxStates, numSlots), convex in n. Without slots, what cannot be done costs kImpossible
// per state, which keeps the table convex.
inline constexpr double kImpossible = 1e30;
std::vector<double> binomialTable(Step maxStates, std::uint32_t numSlots);

// Adds the actions that reverse the `numStates` states after state `base` (in `baseSlot`), using
// the slots baseSlot+1 .. baseSlot+numSlots. `first` is the kind of the first sweep.
void reverseBinomial(ScheduleBuilder& out, Step base, Slot baseSlot, Step numStates,
                     std::uint32_t numSlots, ActionKind first);

// The whole schedule: the fewest light steps possible with `numSlots` slots and no Streaming
// Memory, P(T, numSlots) - T of them. Slots beyond T are not used. REQUIRES: both at least 1, else
// UserError.
Schedule revolve(Step numSteps, std::uint32_t numSlots);

// The fewest slots with which no step is run again more than `repeats` times.
std::uint32_t slotsForRepeats(Step numSteps, std::uint32_t repeats);

} // namespace spillway::plan
