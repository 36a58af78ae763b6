#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

// Runs the traced program with PVTI_OPTIONS and returns what it wrote into the directory.
std::string trace(const std::string& options, const fs::path& directory) {
  const std::string command = "PVTI_OPTIONS='" + options + "' " PVTI_PROGRAM;
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ostringstream text;
  if (fs::exists(directory))
    for (const auto& entry : fs::directory_iterator(directory))
      text << std::ifstream(entry.path()).rdbuf();
  return text.str();
}

class TraceTest : public testing::Test {
protected:
  ~TraceTest() override { fs::remove_all(directory); }
  fs::path directory = fs::temp_directory_path() / ("pvti_test_" + std::to_string(::getpid()));
};

} // namespace

TEST_F(TraceTest, AnEnabledTraceHoldsBothEndsOfEveryStretch) {
  const std::string text =
      trace("{\"enable\":\"true\",\"directory\":\"" + directory.string() + "\"}", directory);
  EXPECT_THAT(text, HasSubstr("traceEvents"));
  EXPECT_THAT(text, HasSubstr("\"whole\""));
  EXPECT_THAT(text, HasSubstr("\"part\""));
  std::size_t begins = 0, ends = 0;
  for (std::size_t at = 0; (at = text.find("\"ph\":\"", at)) != std::string::npos; at += 7) {
    begins += text[at + 6] == 'B';
    ends += text[at + 6] == 'E';
  }
  EXPECT_EQ(begins, 2u);
  EXPECT_EQ(ends, 2u);
}

TEST_F(TraceTest, NothingIsWrittenUnlessAskedFor) {
  EXPECT_EQ(trace("{\"directory\":\"" + directory.string() + "\"}", directory), "");
}
