#include "train/DurableFile.hpp"

#include "support/TemporaryFolder.hpp"
#include "train/LockedFile.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <vector>

namespace spillway {
namespace {

namespace fs = std::filesystem;

// What `work` returns in a process of its own becomes that process's exit code.
template <class Work>
pid_t inAnotherProcess(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 1;
    try {
      code = work();
    } catch (const std::exception&) {
    }
    ::_exit(code);
  }
  return child;
}

bool endsWell(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::ptrdiff_t numFiles(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(DurableFile, IsOneWritersWhereSeveralWriteIt) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt";
  constexpr std::size_t kSize = 100000;
  std::vector<pid_t> writers;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    writers.push_back(inAnotherProcess([&] {
      for (int i = 0; i < 20; ++i) {
        writeDurably(file, std::string(kSize, letter));
      }
      return 0;
    }));
  }
  for (const pid_t writer : writers) {
    EXPECT_TRUE(endsWell(writer));
  }
  const std::string content = readWhole(file);
  EXPECT_EQ(content, std::string(kSize, content.at(0)));
  EXPECT_EQ(numFiles(folder.path()), 1); // nothing temporary
}

TEST(DurableFile, TakesOverWhatAKilledWriterLeft) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.txt", left = folder.path() / "a.txt.partial";
  const pid_t writer = inAnotherProcess([&] {
    const LockedFile held(left);
    ::write(held.descriptor(), "a longer text than comes", 24);
    return ::raise(SIGKILL);
  });
  EXPECT_FALSE(endsWell(writer));
  ASSERT_TRUE(fs::exists(left));
  writeDurably(file, "short");
  EXPECT_EQ(readWhole(file), "short");
  EXPECT_EQ(numFiles(folder.path()), 1);
}

} // namespace
} // namespace spillway
