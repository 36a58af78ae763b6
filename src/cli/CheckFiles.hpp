// What `spillway check` runs on: docs/data-formats.md.
#pragma once

#include "config/Settings.hpp"
#include "data/EventBatch.hpp"
#include "network/Parameters.hpp"

#include <string>

namespace spillway {

struct CheckCase {
  Settings settings; // network, steps and batch size as the files have them
  ParameterSet parameters;
  EventBatch batch;
};

// Empty file names: the parameters training begins with; the first samples of the training data.
// Throws UserError where files, data and network do not fit one another.
CheckCase makeCheckCase(Settings settings, const std::string& weightsFile,
                        const std::string& batchFile);

} // namespace spillway
