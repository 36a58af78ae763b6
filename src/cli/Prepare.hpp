// What most commands begin with: a configuration, its data set, and a network that fits it.
#pragma once

#include "config/Config.hpp"
#include "data/DataSet.hpp"

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace spillway {

// Loads `path`, a configuration file or a run folder (whose config.cfg is meant), and prints its
// notes. Throws UserError.
Config loadTarget(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                  std::ostream& out);

// Opens the data set and gives the network the data's inputs and outputs where it leaves them open.
// Throws ConfigError where the two do not fit.
std::unique_ptr<DataSet> openData(Config& config);

// The same for training, which takes whole batches.
std::unique_ptr<DataSet> openTrainingData(Config& config);

// Throws ConfigError for whatever training would refuse, short of building the graph. Returns what
// could not be looked into because a file is not there.
std::vector<std::string> checkTrainable(Config config);

} // namespace spillway
