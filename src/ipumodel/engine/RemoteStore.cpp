#include "engine/RemoteStore.hpp"

#include <poplar/exceptions.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace ipumodel {

namespace {

// A file that no folder lists, so that nothing is left behind however the process ends.
int openUnnamed(const std::string& folder) {
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
    return unnamed;
  std::string path = folder + "/spillway-remote-XXXXXX"; // file systems without unnamed files
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0)
    ::unlink(path.c_str());
  return named;
}

} // namespace

RemoteStore::RemoteStore(std::string handle, std::uint64_t rowBytes, std::uint64_t numRows,
                         const std::string& folder)
    : handle_(std::move(handle)), folder_(folder), rowBytes_(rowBytes), numRows_(numRows) {
  const std::uint64_t bytes = rowBytes * numRows;
  if (folder.empty()) {
    memory_ = MappedMemory(bytes);
    return;
  }
  const int file = openUnnamed(folder);
  if (file < 0)
    fail("cannot make a file", errno);
  // Room is claimed now: a full disk is told here, not in the middle of a run.
  int error = bytes == 0 || ::fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP)
    error = ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  if (error != 0) {
    ::close(file);
    fail("cannot get " + std::to_string(bytes) + " bytes", error);
  }
  file_ = file;
}

RemoteStore::~RemoteStore() {
  if (file_ >= 0)
    ::close(file_);
}

RemoteStore::RemoteStore(RemoteStore&& other) noexcept
    : handle_(std::move(other.handle_)),
      folder_(std::move(other.folder_)),
      rowBytes_(other.rowBytes_),
      numRows_(other.numRows_),
      memory_(std::move(other.memory_)),
      file_(std::exchange(other.file_, -1)) {}

void RemoteStore::read(std::uint64_t row, std::byte* to) const {
  if (file_ < 0) {
    std::memcpy(to, inMemory(row), rowBytes_);
    return;
  }
  for (std::uint64_t done = 0; done < rowBytes_;) {
    const ssize_t count =
        ::pread(file_, to + done, rowBytes_ - done, static_cast<off_t>(row * rowBytes_ + done));
    if (count == 0)
      fail("its file ends before row " + std::to_string(row), EIO);
    if (count < 0 && errno != EINTR)
      fail("cannot read row " + std::to_string(row), errno);
    done += count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }
}

void RemoteStore::write(std::uint64_t row, const std::byte* from) {
  if (file_ < 0) {
    std::memcpy(inMemory(row), from, rowBytes_);
    return;
  }
  for (std::uint64_t done = 0; done < rowBytes_;) {
    const ssize_t count =
        ::pwrite(file_, from + done, rowBytes_ - done, static_cast<off_t>(row * rowBytes_ + done));
    if (count < 0 && errno != EINTR)
      fail("cannot write row " + std::to_string(row), errno);
    done += count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }
}

void RemoteStore::fail(const std::string& what, int error) const {
  throw poplar::system_runtime_error("remote buffer '" + handle_ + "' in " + folder_ + ": " + what +
                                     ": " + std::strerror(error));
}

} // namespace ipumodel
