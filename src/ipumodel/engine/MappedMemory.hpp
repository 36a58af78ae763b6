// Zeroed memory straight from the system: page aligned, and a page costs nothing until it is
// touched.
#pragma once

#include <cstddef>

namespace ipumodel {

// Huge pages save time where there is much memory, but one byte of theirs costs 2 MB.
enum class Pages { Huge, Small };

class MappedMemory {
public:
  MappedMemory() = default;
  // Throws std::bad_alloc.
  explicit MappedMemory(std::size_t bytes, Pages pages = Pages::Huge);
  ~MappedMemory();
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) noexcept;

  // For a part that nobody has touched yet. A hint; refusal changes nothing.
  void useHugePages(std::size_t begin, std::size_t end) const;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace ipumodel
