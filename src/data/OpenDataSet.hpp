// Data sets by name.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"

#include <memory>
#include <string>
#include <vector>

namespace spillway {

struct DataSetDescription {
  std::string name;
  std::string summary; // one line: what it is, and what data.path must point at
};

std::vector<DataSetDescription> knownDataSets();

// Throws UserError for an unknown name, for settings the data set cannot take, and for files that
// are missing or not what they should be.
std::unique_ptr<DataSet> openDataSet(const DataSettings& settings);

} // namespace spillway
