// What a run begins with.
#pragma once

#include "config/Settings.hpp"
#include "network/Parameters.hpp"

namespace spillway {

// The parameters of train.weights, or drawn from train.seed. REQUIRES: a complete network. Throws
// IoError or FileError where the file is missing or does not fit.
ParameterSet startingParameters(const Settings& settings);

} // namespace spillway
