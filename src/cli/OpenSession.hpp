// The session the settings ask for, on the device they ask for.
#pragma once

#include "config/Settings.hpp"
#include "train/TrainingSession.hpp"

#include <memory>

namespace spillway {

// REQUIRES: settings as openData() left them. Throws UserError if the device is not to be had.
std::unique_ptr<TrainingSession> openSession(const Settings& settings);

} // namespace spillway
