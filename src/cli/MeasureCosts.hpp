// Measures what steps and transfers take on the cpu device: `spillway plan CONFIG --measure`.
#pragma once

#include "config/Config.hpp"
#include "train/MeasuredCosts.hpp"

namespace spillway {

// Runs a few short schedules on the first training samples, some seconds in all, and keeps the result
// for later plans. Throws UserError on any other device.
MeasuredCosts measureAndRemember(Config config);

std::string measuredAsText(const MeasuredCosts& costs, const Settings& settings);

} // namespace spillway
