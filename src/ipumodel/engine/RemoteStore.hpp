// Where one replica keeps one remote buffer: in memory, or in a file without a name that ends with
// its owner.
#pragma once

#include "engine/MappedMemory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ipumodel {

class RemoteStore {
public:
  // folder: of the file; empty: memory. Throws poplar::system_runtime_error where the file cannot
  // be made or has no room. Rows are zero until they are written.
  RemoteStore(std::string handle, std::uint64_t rowBytes, std::uint64_t numRows,
              const std::string& folder);
  ~RemoteStore();
  RemoteStore(RemoteStore&& other) noexcept;
  RemoteStore& operator=(RemoteStore&&) = delete;

  // Any two threads may use different rows at the same time. Throw poplar::system_runtime_error on
  // a failure of the file.
  void read(std::uint64_t row, std::byte* to) const;
  void write(std::uint64_t row, const std::byte* from);

  // The row itself; null where rows lie in a file.
  std::byte* inMemory(std::uint64_t row) const {
    return file_ < 0 ? memory_.data() + row * rowBytes_ : nullptr;
  }
  std::uint64_t rowBytes() const { return rowBytes_; }
  std::uint64_t numRows() const { return numRows_; }

private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string handle_, folder_;
  std::uint64_t rowBytes_ = 0, numRows_ = 0;
  MappedMemory memory_;
  int file_ = -1;
};

} // namespace ipumodel
