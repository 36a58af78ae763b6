// The page that shows and compares runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

// {"runs": [{name, record, config, records, state, ...}]}: what the page draws.
// Throws IoError for a folder that holds no run; a run still being written is fine.
std::string runsAsJson(const std::vector<std::filesystem::path>& runs);
std::string runReportPage(const std::vector<std::filesystem::path>& runs);

} // namespace spillway
