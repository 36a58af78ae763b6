// Zeroed memory straight from the system: page aligned, and a page costs nothing until it is
// touched.
#pragma once

#include <cstddef>

namespace ipumodel {

// Huge pages save time, but one byte of theirs costs 2 MB.
enum class Pages { HugeIfLarge, Small };

class MappedMemory {
public:
  MappedMemory() = default;
  // Throws std::bad_alloc.
  explicit MappedMemory(std::size_t bytes, Pages pages = Pages::HugeIfLarge);
  ~MappedMemory();
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) noexcept;

  // Makes huge pages of small ones where all of them have been touched.
  void joinTouchedPages() const;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace ipumodel
