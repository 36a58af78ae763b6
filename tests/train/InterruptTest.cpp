#include "train/Interrupt.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

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

// How a process ends that is told to by these signals, the later ones after a pause.
int statusAfter(std::initializer_list<int> atOnce, std::initializer_list<int> later) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Interrupt interrupt;
    for (const int signal : atOnce) {
      std::raise(signal);
    }
    for (const int signal : later) {
      ::sleep(Interrupt::kSameRequestSeconds + 1);
      std::raise(signal);
    }
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Interrupt, TakesWhatALauncherPassesOnForTheSameRequest) {
  EXPECT_EQ(statusAfter({SIGTERM, SIGTERM, SIGINT, SIGUSR1, SIGUSR1}, {}), 0);
}

TEST(Interrupt, EndsAtOnceWhenItIsAskedAgain) {
  EXPECT_EQ(WTERMSIG(statusAfter({SIGINT}, {SIGINT})), SIGINT);
  EXPECT_EQ(WTERMSIG(statusAfter({SIGINT}, {SIGTERM})), SIGTERM);
  EXPECT_EQ(statusAfter({SIGINT}, {SIGPIPE}), 0); // that is only another line nobody reads
}

} // namespace
} // namespace spillway
