#include "train/LockedFile.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace spillway {
namespace {

// False only where another process holds the lock and `how` does not wait for it.
bool lock(int descriptor, int how) {
  while (::flock(descriptor, how) != 0) {
    if (errno != EINTR) {
      return errno != EWOULDBLOCK;
    }
  }
  return true;
}

} // namespace

bool lockAtOnce(int descriptor) {
  return lock(descriptor, LOCK_EX | LOCK_NB);
}

LockedFile::LockedFile(std::filesystem::path path, const std::function<void()>& waiting)
    : path_(std::move(path)) {
  bool told = false;
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) {
      return;
    }
    if (!lockAtOnce(descriptor_)) {
      if (!std::exchange(told, true)) {
        waiting();
      }
      lock(descriptor_, LOCK_EX);
    }
    if (isStillNamed()) {
      return;
    }
    ::close(descriptor_); // its holder renamed or removed it while we waited
  }
}

LockedFile::~LockedFile() {
  if (descriptor_ < 0) {
    return;
  }
  if (isStillNamed()) {
    ::unlink(path_.c_str());
  }
  ::close(descriptor_);
}

bool LockedFile::isStillNamed() const {
  struct stat held {
  }, named{};
  return ::fstat(descriptor_, &held) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace spillway
