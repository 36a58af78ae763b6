// How many IPUs a network needs, and what spreading it costs: a table for people.
#pragma once

#include "config/Settings.hpp"
#include "train/PlanInputs.hpp"

#include <string>

namespace spillway {

// The network over 1, 2, 4, ... 64 IPUs: whether it fits, by which strategy (that of the settings,
// or the fastest), bytes on the fullest tile and time of an update. REQUIRES: settings as
// openData() left them. Throws UserError unless an IPU is asked for.
std::string ipusAsText(const Settings& settings, const PlanOptions& options);

} // namespace spillway
