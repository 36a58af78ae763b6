// What `spillway check` runs on: docs/data-formats.md.
#pragma once

#include "config/Config.hpp"
#include "data/EventBatch.hpp"
#include "network/Parameters.hpp"

#include <string>

namespace spillway {

struct CheckCase {
  Settings settings; // network, steps and batch size as the files have them
  Origins origins;   // of the configuration it was made from
  ParameterSet parameters;
  EventBatch batch;
};

// Empty file names: the parameters training begins with; the first samples of the training data.
// Throws ConfigError or UserError where files, data and network do not fit one another.
CheckCase makeCheckCase(Config config, const std::string& weightsFile,
                        const std::string& batchFile);

} // namespace spillway
