#include "engine/MappedMemory.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace ipumodel {

namespace {
constexpr std::size_t kHugePageWorthwhileBytes = 8u << 20;
}

MappedMemory::MappedMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0)
    return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  if (bytes >= kHugePageWorthwhileBytes)
    madvise(memory, bytes, MADV_HUGEPAGE); // a hint; refusal changes nothing
  data_ = static_cast<std::byte*>(memory);
}

MappedMemory::~MappedMemory() {
  if (data_)
    munmap(data_, bytes_);
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

MappedMemory& MappedMemory::operator=(MappedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

} // namespace ipumodel
