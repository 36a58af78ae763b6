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

} // namespace
} // namespace spillway
