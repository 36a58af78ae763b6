// How many steps a unit runs in one superstep.
#pragma once

#include "config/Settings.hpp"

namespace spillway {

// machine.timeBlock, or where that is 0: 1 for a recurrent network (its spikes come back a step
// later) and on an IPU (lists of every step of a block would have to lie on every tile), else 16.
std::uint32_t timeBlockOf(const Settings& settings);

// The same for light steps, which read stored lists and wait for no other unit, recurrent or not.
std::uint32_t lightBlockOf(const Settings& settings);

} // namespace spillway
