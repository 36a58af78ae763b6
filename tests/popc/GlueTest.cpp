// Which codelets need their workers at once.
#include "popc/Glue.hpp"

#include <gtest/gtest.h>

namespace ipumodel::popc {
namespace {

TEST(Workers, MeetByWhatCodeletsShareAndNotBySystemHeaders) {
  const std::string header = "# 1 \"/usr/include/a.h\" 1 3 4\nextern volatile int there;\n";
  const std::string own = "# 2 \"codelet.cpp\" 2\n";
  EXPECT_FALSE(workersMayMeet(header + own + "int here;\n"));
  EXPECT_TRUE(workersMayMeet(header + own + "volatile int here;\n"));
  EXPECT_TRUE(workersMayMeet("# 1 \"mine.h\" 1\nstd::atomic<int> here;\n"));
  EXPECT_FALSE(workersMayMeet(own + "asm volatile(\"\");\n"));
}

} // namespace
} // namespace ipumodel::popc
