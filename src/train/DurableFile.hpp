// Files that are whole or not there, and logs that say when they cannot be written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace spillway {

// Writes `path` so that a crash at any moment leaves either the old or the new content: temporary
// name in the same folder, fsync, rename, fsync of the folder. Processes that write the same file
// do so one after the other. Throws IoError; the old file stays.
void writeDurably(const std::filesystem::path& path, std::string_view content);

std::string readWhole(const std::filesystem::path& path); // throws IoError

// A file that grows by whole records; each append reaches the system before it returns.
class AppendFile {
public:
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view record); // throws IoError

private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

} // namespace spillway
