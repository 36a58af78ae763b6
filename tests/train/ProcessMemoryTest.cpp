#include "train/ProcessMemory.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace spillway {
namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

TEST(ProcessMemory, PeakRemembersWhatWasFreedUntilToldToForget) {
  const std::uint64_t before = residentMemoryBytes();
  ASSERT_GT(before, 0u);
  auto memory = std::make_unique<std::vector<char>>(kBytes, 1);
  memory.reset();
  EXPECT_GE(peakMemoryBytes(), before + kBytes * 3 / 4);
  forgetPeakMemory();
  EXPECT_LT(peakMemoryBytes(), before + kBytes / 2);
}

TEST(ProcessMemory, LargeBlocksAreGivenBackAlsoAfterTheFirst) {
  giveBackLargeBlocks();
  constexpr std::size_t kBlock = std::size_t{24} << 20;
  std::vector<char>(kBlock, 1); // from whose end the C library would learn
  const std::uint64_t before = residentMemoryBytes();
  auto block = std::make_unique<std::vector<char>>(kBlock, 1);
  const std::vector<char> behind(100'000, 1); // so that the heap could not simply end earlier
  ASSERT_GE(residentMemoryBytes(), before + kBlock * 3 / 4);
  block.reset();
  EXPECT_LT(residentMemoryBytes(), before + kBlock / 2);
  EXPECT_EQ(behind.front(), 1);
}

} // namespace
} // namespace spillway
