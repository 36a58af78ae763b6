// Memory that is mapped page by page.
#include "engine/MappedMemory.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ipumodel {
namespace {

constexpr std::size_t kMegabyte = 1u << 20;

std::size_t residentBytes(const MappedMemory& memory) {
  const auto pageBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages(memory.size() / pageBytes);
  EXPECT_EQ(mincore(memory.data(), pages.size() * pageBytes, pages.data()), 0);
  return pageBytes *
         std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; });
}

TEST(MappedMemory, TakesWhatIsTouchedPageByPage) {
  const MappedMemory memory(16 * kMegabyte, Pages::Small);
  const auto pageBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; i < 16 * kMegabyte; i += kMegabyte) {
    memory.data()[i] = std::byte{1};
  }
  EXPECT_EQ(residentBytes(memory), 16 * pageBytes);
}

TEST(MappedMemory, HasHugePagesOnlyWhereTheyWereAskedFor) {
  const MappedMemory memory(32 * kMegabyte, Pages::Small);
  memory.useHugePages(0, 16 * kMegabyte);
  for (std::size_t i = 16 * kMegabyte; i < 32 * kMegabyte; i += kMegabyte) {
    memory.data()[i] = std::byte{1};
  }
  EXPECT_LE(residentBytes(memory), 16 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

} // namespace
} // namespace ipumodel
