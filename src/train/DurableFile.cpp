#include "train/DurableFile.hpp"

#include "train/IoError.hpp"
#include "train/LockedFile.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace spillway {
namespace fs = std::filesystem;

void throwErrno(const std::string& what, const fs::path& path) {
  const int code = errno;
  throw IoError("cannot " + what + " " + path.string() + ": " + std::strerror(code));
}

bool isThere(const fs::path& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error) {
    throw IoError("cannot look at " + path.string() + ": " + error.message());
  }
  return there;
}

namespace {

class Descriptor {
public:
  Descriptor(const fs::path& path, int flags) : value_(::open(path.c_str(), flags, 0644)) {}
  ~Descriptor() {
    if (value_ >= 0) {
      ::close(value_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

private:
  int value_;
};

bool writeAll(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return false;
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

} // namespace

void writeDurably(const fs::path& path, std::string_view content) {
  const fs::path temporary = path.string() + ".partial";
  {
    const LockedFile file(temporary);
    const int descriptor = file.descriptor();
    if (descriptor < 0 || ::ftruncate(descriptor, 0) != 0 ||
        !writeAll(descriptor, content.data(), content.size()) || ::fsync(descriptor) != 0 ||
        ::rename(temporary.c_str(), path.c_str()) != 0) {
      throwErrno("write", path);
    }
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor directory(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Some file systems refuse to sync a folder; the file itself is on disk by now.
  if (directory.get() >= 0 && ::fsync(directory.get()) != 0 && errno != EINVAL) {
    throwErrno("sync", folder);
  }
}

std::string readWhole(const fs::path& path) {
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  std::string content;
  if (file.get() >= 0) {
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    ssize_t got = 0;
    do {
      const std::size_t before = content.size();
      content.resize(before + kBlock);
      got = ::read(file.get(), content.data() + before, kBlock);
      content.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got == 0) {
      return content;
    }
  }
  throwErrno("read", path); // a folder, for instance, can be opened
}

AppendFile::AppendFile(fs::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) {
    throwErrno("open", path_);
  }
}

AppendFile::~AppendFile() {
  ::close(descriptor_);
}

void AppendFile::append(std::string_view record) {
  if (!writeAll(descriptor_, record.data(), record.size())) {
    throwErrno("write", path_);
  }
}

} // namespace spillway
