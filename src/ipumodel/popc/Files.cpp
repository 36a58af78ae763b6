#include "popc/Files.hpp"

#include <poplar/exceptions.hpp>

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ipumodel::popc {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || fs::is_directory(path, ignored))
    throw poplar::file_load_error(path.string());
  std::ostringstream content; // whole blocks: graph programs have megabytes
  content << file.rdbuf();
  return std::move(content).str();
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  bool good = descriptor >= 0;
  for (std::size_t done = 0; good && done < content.size();) {
    const ssize_t count = write(descriptor, content.data() + done, content.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else
      good = count < 0 && errno == EINTR;
  }
  good = good && fchmod(descriptor, 0644) == 0;
  const int error = errno;
  if (descriptor >= 0)
    good = close(descriptor) == 0 && good;
  if (!good || std::rename(temporary.c_str(), path.c_str()) != 0) {
    unlink(temporary.c_str());
    throw poplar::poplar_error("cannot write '" + path.string() + "': " + std::strerror(error));
  }
}

// std::filesystem's takes whatever stops it for an error of the device.
void copyFile(const fs::path& from, const fs::path& to) {
  const int in = open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0)
    throw poplar::file_load_error(from.string());
  const int out = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool good = out >= 0;
  constexpr std::size_t kBlockBytes = 1 << 20;
  for (ssize_t count = 1; good && count != 0;) {
    count = sendfile(out, in, nullptr, kBlockBytes);
    good = count >= 0 || errno == EINTR;
  }
  const int error = errno;
  close(in);
  if (out >= 0)
    good = close(out) == 0 && good;
  if (!good)
    throw poplar::poplar_error("cannot write '" + to.string() + "': " + std::strerror(error));
}

std::string contentHash(std::string_view content) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(content.data(), content.size()));
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error)
    throw poplar::poplar_error("there is no temporary folder: TMPDIR: " + error.message());
  std::string pattern = (folder / "popc-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw poplar::poplar_error("cannot create a directory in " + folder.string() + ": " +
                               std::strerror(errno));
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

} // namespace ipumodel::popc
