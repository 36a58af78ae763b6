// Writes a TensorBoard event file: TFRecords of the Event message with scalar summaries.
#pragma once

#include "train/DurableFile.hpp"
#include "train/Metrics.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

class TensorBoardWriter {
public:
  explicit TensorBoardWriter(const std::filesystem::path& folder); // one new file per sitting
  void write(const MetricsRecord& record);

private:
  std::optional<AppendFile> file_;
};

// The pieces, apart for their tests.
std::uint32_t crc32c(const std::string& bytes);
std::string tensorBoardEvent(double wallTime, std::uint64_t step,
                             const std::vector<std::pair<std::string, float>>& scalars);
std::string tfRecord(const std::string& payload);

} // namespace spillway
