#include "train/Interrupt.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

void ours(int) {}

TEST(Interrupt, TakesASignalForARequestAndLeavesAllAsItFoundThem) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGPIPE}) {
    const auto before = std::signal(signal, ours);
    {
      const Interrupt interrupt;
      EXPECT_FALSE(Interrupt::requested());
      std::raise(signal);
      EXPECT_TRUE(Interrupt::requested()) << signal;
    }
    EXPECT_EQ(std::signal(signal, before), ours) << signal;
  }
}

} // namespace
} // namespace spillway
