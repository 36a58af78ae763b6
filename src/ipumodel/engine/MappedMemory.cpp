#include "engine/MappedMemory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace ipumodel {

namespace {
constexpr std::size_t kHugePageWorthwhileBytes = 32u << 20;
constexpr std::size_t kHugePageBytes = 2u << 20;
} // namespace

MappedMemory::MappedMemory(std::size_t bytes, Pages pages) : bytes_(bytes) {
  if (bytes == 0)
    return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
  if (pages == Pages::Huge)
    useHugePages(0, bytes);
  else // some systems give huge pages to whoever does not refuse them
    madvise(memory, bytes, MADV_NOHUGEPAGE);
}

void MappedMemory::useHugePages(std::size_t begin, std::size_t end) const {
  const auto base = reinterpret_cast<std::uintptr_t>(data_);
  const std::uintptr_t first =
      (base + begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const std::uintptr_t last = (base + end) / kHugePageBytes * kHugePageBytes;
  if (bytes_ >= kHugePageWorthwhileBytes && first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
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
