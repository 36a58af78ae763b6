// A file's bytes without a copy of them: pages come when they are read.
#pragma once

#include <filesystem>
#include <string_view>

namespace ipumodel::popc {

class MappedFile {
public:
  MappedFile() = default;
  // Throws poplar::file_load_error when it cannot be read. The bytes stay when the name is removed.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::string_view bytes() const { return bytes_; }
  void dropPages() const; // until they are read again

private:
  std::string_view bytes_;
};

} // namespace ipumodel::popc
