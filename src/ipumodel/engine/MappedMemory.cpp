#include "engine/MappedMemory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace ipumodel {

namespace {
constexpr std::size_t kHugePageWorthwhileBytes = 8u << 20;
constexpr std::size_t kHugePageBytes = 2u << 20;
#ifdef MADV_COLLAPSE
constexpr int kCollapse = MADV_COLLAPSE;
#else
constexpr int kCollapse = 25; // of Linux since 6.1, before the C library knew
#endif
} // namespace

MappedMemory::MappedMemory(std::size_t bytes, Pages pages) : bytes_(bytes) {
  if (bytes == 0)
    return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
  if (pages == Pages::HugeIfLarge && bytes >= kHugePageWorthwhileBytes)
    madvise(memory, bytes, MADV_HUGEPAGE); // a hint; refusal changes nothing
}

void MappedMemory::joinTouchedPages() const {
  if (bytes_ < kHugePageWorthwhileBytes)
    return;
  std::vector<unsigned char> pages(kHugePageBytes /
                                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  const auto begin = reinterpret_cast<std::uintptr_t>(data_);
  const std::uintptr_t first = (begin + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  for (std::uintptr_t at = first; at + kHugePageBytes <= begin + bytes_; at += kHugePageBytes) {
    void* const memory = reinterpret_cast<void*>(at);
    const bool known = mincore(memory, kHugePageBytes, pages.data()) == 0;
    if (known && std::all_of(pages.begin(), pages.end(), [](unsigned char p) { return p & 1; }))
      madvise(memory, kHugePageBytes, kCollapse); // a hint, too
  }
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
