// Zeroed memory straight from the system: page aligned, and a page costs nothing until it is
// touched.
#pragma once

#include <cstddef>

namespace ipumodel {

class MappedMemory {
public:
  MappedMemory() = default;
  // Throws std::bad_alloc.
  explicit MappedMemory(std::size_t bytes);
  ~MappedMemory();
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory& operator=(MappedMemory&& other) noexcept;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace ipumodel
