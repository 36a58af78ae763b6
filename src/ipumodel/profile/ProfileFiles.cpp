#include "profile/ProfileFiles.hpp"

#include "profile/ChromeTrace.hpp"
#include "profile/ProfileJson.hpp"
#include "profile/ProfileSqlite.hpp"
#include "profile/Summary.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ipumodel {
namespace {

// Processes that report into one folder do so one after the other. The lock ends with its holder;
// where the file system has none, nobody waits.
class FolderTurn {
public:
  explicit FolderTurn(const std::filesystem::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderTurn() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  FolderTurn(const FolderTurn&) = delete;
  FolderTurn& operator=(const FolderTurn&) = delete;

private:
  int descriptor_;
};

} // namespace

void writeProfileFiles(const std::string& directory, const ProfileData& profile) {
  const std::filesystem::path folder = directory;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error("cannot make the report folder " + directory + ": " + error.message());
  const FolderTurn turn(folder);
  // Under another name until it is whole, so that no reader meets half of a file.
  const auto writeWhole = [&](const char* name, const auto& writer) {
    const std::filesystem::path path = folder / name, partial = path.string() + ".partial";
    try {
      writer(partial.string());
      std::filesystem::rename(partial, path);
    } catch (const std::exception& failure) {
      std::filesystem::remove(partial, error);
      throw std::runtime_error("cannot write " + path.string() + ": " + failure.what());
    }
  };
  const auto write = [&](const char* name, const auto& writer) {
    writeWhole(name, [&](const std::string& path) {
      errno = 0;
      std::ofstream file(path);
      writer(file);
      if (!file.flush())
        throw std::runtime_error(errno != 0 ? std::strerror(errno) : "the file system refuses");
    });
  };
  write("summary.txt", [&](std::ostream& out) {
    printSummary(out, profile,
                 {.showExecutionSteps = true, .showVarStorage = true, .showMachine = true});
  });
  if (profile.execution.recorded)
    write("trace.json", [&](std::ostream& out) { writeChromeTrace(out, profile); });
  writeWhole("profile.sqlite", [&](const std::string& path) { writeProfileSqlite(path, profile); });
  // Last, so that where it is, the others are.
  write("profile.json", [&](std::ostream& out) { writeProfileJson(out, profile); });
}

} // namespace ipumodel
