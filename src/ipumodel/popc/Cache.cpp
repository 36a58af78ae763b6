#include "popc/Cache.hpp"

#include "popc/Files.hpp"

#include <poplar/exceptions.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

namespace ipumodel::popc {
namespace {

namespace fs = std::filesystem;

fs::path chooseDirectory() {
  if (const char* given = std::getenv("IPUMODEL_CACHE_DIR"); given && *given)
    return given;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return fs::path(xdg) / "spillway";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "spillway";
  return {};
}

// Depends on the contents of the files. Nothing when one of them is gone.
std::optional<std::string> entryName(const std::string& request,
                                     const std::vector<fs::path>& files) {
  std::string key = request;
  for (const fs::path& file : files) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      return std::nullopt;
    key += '\n' + file.string() + ' ' + contentHash(readFile(file));
  }
  return contentHash(key) + ".gp";
}

} // namespace

Cache::Claim::Claim(const Cache& cache, const std::string& request)
    : path_(cache.directory_ / (request + ".lock")) {
  if (cache.directory_.empty())
    return;
  descriptor_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

Cache::Claim::~Claim() {
  if (descriptor_ < 0)
    return;
  ::unlink(path_.c_str()); // whoever waits for it will find the entry
  ::close(descriptor_);
}

Cache::Cache() : directory_(chooseDirectory()) {
  std::error_code error;
  if (!directory_.empty())
    fs::create_directories(directory_, error);
  if (error)
    directory_.clear();
}

std::optional<std::string> Cache::find(const std::string& request) const {
  const fs::path manifest = directory_ / (request + ".files");
  std::error_code error;
  if (directory_.empty() || !fs::is_regular_file(manifest, error))
    return std::nullopt;
  std::vector<fs::path> files;
  std::istringstream lines(readFile(manifest));
  for (std::string line; std::getline(lines, line);)
    files.emplace_back(line);
  const auto entry = entryName(request, files);
  if (!entry || !fs::is_regular_file(directory_ / *entry, error))
    return std::nullopt;
  return readFile(directory_ / *entry);
}

void Cache::store(const std::string& request, const std::vector<fs::path>& includedFiles,
                  std::string_view graphProgram) const {
  if (directory_.empty())
    return;
  const auto entry = entryName(request, includedFiles);
  if (!entry)
    return;
  std::string manifest;
  for (const fs::path& file : includedFiles)
    manifest += file.string() + '\n';
  try {
    writeFileAtomically(directory_ / *entry, graphProgram);
    writeFileAtomically(directory_ / (request + ".files"), manifest);
  } catch (const poplar::poplar_error&) {
    // A full or read-only disk costs a compilation next time, no more.
  }
}

} // namespace ipumodel::popc
