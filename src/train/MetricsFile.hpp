// Reads metrics.jsonl, whose fields train/Metrics.hpp lists.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace spillway {

// The records in their order; none where there is no such file. A last line that has no end, being
// written or cut off by a crash, is left out. Throws UserError with file and line where any other
// is no record, IoError where the file cannot be read.
std::vector<nlohmann::ordered_json> readMetrics(const std::filesystem::path& file);

} // namespace spillway
