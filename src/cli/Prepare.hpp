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
// Throws UserError where the two do not fit.
std::unique_ptr<DataSet> openData(Settings& settings);

} // namespace spillway
