// Files of a data set by what their names have in common.
#pragma once

#include "config/Settings.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

// data.path; where none is given, the first of $SPILLWAY_DATA/<data.set>, data/<data.set> and
// /usr/share/datasets/<data.set> that exists. Throws IoError that says how to get the data where
// there is no such folder.
std::filesystem::path dataFolder(const DataSettings& settings);

// The file of the folder whose name starts with prefix, contains part, and ends in one of the
// endings; an earlier ending is preferred. Throws IoError where there is none, UserError for more
// than one.
std::filesystem::path findFile(const std::filesystem::path& folder, const std::string& prefix,
                               const std::string& part, const std::vector<std::string>& endings);

// The same, or nothing where there is none.
std::optional<std::filesystem::path> findFileIfAny(const std::filesystem::path& folder,
                                                   const std::string& prefix,
                                                   const std::string& part,
                                                   const std::vector<std::string>& endings);

} // namespace spillway
