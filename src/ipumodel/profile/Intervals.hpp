// What the tiles were doing over time, as rows of numbers.
#pragma once

#include "profile/ProfileData.hpp"

#include <iosfwd>

namespace ipumodel {

// One row for each stretch of time in which the numbers stay: begin and end in cycles, tiles that
// compute, tiles that wait for others, tiles that exchange.
void writeIntervals(std::ostream& out, const ProfileData& profile);

} // namespace ipumodel
