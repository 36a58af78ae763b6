// Whether a configuration goes on with a run that exists.
#pragma once

#include "config/Config.hpp"
#include "data/DataSet.hpp"

#include <filesystem>
#include <string>

namespace spillway {

// Throws UserError unless the run in that folder was begun with these settings, but for those that
// alter no update already made, and has not gone further than they would end. REQUIRES: `config` is
// complete: openTrainingData() gave it the data's sizes.
void requireContinues(const Config& config, const DataSet& data, const std::filesystem::path& run);

// Throws UserError where the run's last sitting was trained on other data than describeData() now
// says.
void requireSameData(const std::string& now, const std::filesystem::path& run);

} // namespace spillway
