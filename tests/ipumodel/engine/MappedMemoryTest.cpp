// Memory that is mapped page by page.
#include "engine/MappedMemory.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>
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

TEST(MappedMemory, JoinsPagesThatWereTouchedAndNoOthers) {
  const MappedMemory memory(16 * kMegabyte, Pages::Small);
  const std::size_t touched = 9 * kMegabyte;
  for (std::size_t i = 0; i < touched; ++i) {
    memory.data()[i] = static_cast<std::byte>(i * 7 >> 3);
  }
  EXPECT_EQ(residentBytes(memory), touched);
  memory.joinTouchedPages();
  EXPECT_EQ(residentBytes(memory), touched);
  for (std::size_t i = 0; i < touched; ++i) {
    ASSERT_EQ(memory.data()[i], static_cast<std::byte>(i * 7 >> 3)) << i;
  }
  EXPECT_EQ(memory.data()[touched], std::byte{0});
}

} // namespace
} // namespace ipumodel
