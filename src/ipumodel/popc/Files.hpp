// Small helpers over files that popc shares.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ipumodel::popc {

// The whole file. Throws poplar::file_load_error when it cannot be read.
std::string readFile(const std::filesystem::path& path);

// Writes beside the path and renames, so that no reader ever sees half a file.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);

// Copies without holding the content. Throws poplar::file_load_error when it cannot be read.
void copyFile(const std::filesystem::path& from, const std::filesystem::path& to);

// 32 hexadecimal digits; equal contents have equal hashes.
std::string contentHash(std::string_view content);

// A directory of its own, removed with everything in it at the end of its life.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace ipumodel::popc
