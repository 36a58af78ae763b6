#include "parallel/WakingTimer.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <future>

namespace spillway {
namespace {

using std::chrono::milliseconds;

TEST(WakingTimer, CallsOnceItsTimeIsOver) {
  std::promise<void> called;
  const WakingTimer timer(milliseconds(200), [&] { called.set_value(); });
  called.get_future().wait();
}

TEST(WakingTimer, CallsNobodyOnceItHasEnded) {
  bool called = false;
  {
    const WakingTimer timer(std::chrono::minutes(1), [&] { called = true; });
  }
  EXPECT_FALSE(called);
}

// The process is stopped for longer than its patience, and then has a part of it left.
TEST(WakingTimer, DoesNotCountWhileTheProcessIsStopped) {
  const pid_t child = ::fork();
  if (child == 0) {
    const WakingTimer timer(milliseconds(1500), [] { ::_exit(1); });
    ::raise(SIGSTOP);
    std::this_thread::sleep_for(milliseconds(300));
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  std::this_thread::sleep_for(milliseconds(2000));
  ::kill(child, SIGCONT);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace spillway
