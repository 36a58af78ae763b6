// How data parallelism scales: a table for people.
#pragma once

#include "config/Settings.hpp"
#include "train/PlanInputs.hpp"

#include <string>

namespace spillway {

// Strong scaling (train.batchSize over all IPUs) and weak scaling (train.batchSize on each), to 64
// IPUs, with the assumptions and the point where it stops paying. REQUIRES: settings as openData()
// left them. Throws UserError unless an IPU is asked for.
std::string scalingAsText(const Settings& settings, const PlanOptions& options);

} // namespace spillway
