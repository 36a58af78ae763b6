#include "engine/DeviceHold.hpp"

#include <poplar/exceptions.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace ipumodel {
namespace {

constexpr const char* kFolderVariable = "IPUMODEL_DEVICE_LOCKS";

// The IPUs that handles of this process hold.
struct Held {
  std::mutex mutex;
  std::set<int> ipus;
};
Held& held() {
  static Held instance;
  return instance;
}

} // namespace

DeviceHold::DeviceHold(std::vector<int> ipus) : ipus_(std::move(ipus)) {}
DeviceHold::~DeviceHold() {
  giveBack();
}

bool DeviceHold::take() {
  const std::lock_guard guard(held().mutex);
  if (isTaken_)
    return true;
  const bool isFree =
      std::none_of(ipus_.begin(), ipus_.end(), [](int ipu) { return held().ipus.contains(ipu); });
  if (!isFree || !lockFiles())
    return false;
  held().ipus.insert(ipus_.begin(), ipus_.end());
  return isTaken_ = true;
}

void DeviceHold::giveBack() {
  const std::lock_guard guard(held().mutex);
  if (!std::exchange(isTaken_, false))
    return;
  for (const int ipu : ipus_)
    held().ipus.erase(ipu);
  for (const int file : std::exchange(files_, {}))
    ::close(file);
}

// Locks go with the process that holds them, however it ends.
bool DeviceHold::lockFiles() {
  const char* folder = std::getenv(kFolderVariable);
  if (!folder || !*folder)
    return true;
  for (const int ipu : ipus_) {
    const std::string path = std::string(folder) + "/ipu" + std::to_string(ipu) + ".lock";
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
      const std::string reason = std::strerror(errno);
      for (const int earlier : std::exchange(files_, {}))
        ::close(earlier);
      throw poplar::poplar_error(std::string(kFolderVariable) + ": cannot open '" + path +
                                 "': " + reason);
    }
    files_.push_back(file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      for (const int taken : std::exchange(files_, {}))
        ::close(taken);
      return false;
    }
  }
  return true;
}

} // namespace ipumodel
