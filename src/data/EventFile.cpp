#include "data/EventFile.hpp"

#include "network/IoError.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace spillway {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw IoError("a batch longer than data.batchMemory goes to a temporary file: " + what + ": " +
                std::strerror(errno));
}

} // namespace

EventFile::EventFile(std::uint32_t numSteps, std::uint32_t numSamples, std::uint32_t maxEvents)
    : numSteps_(numSteps), rowWords_(maxEvents + std::size_t{1}) {
  std::string path = std::filesystem::temp_directory_path() / "spillway-batch-XXXXXX";
  file_ = ::mkostemp(path.data(), O_CLOEXEC);
  if (file_ < 0) {
    fail("cannot make " + path);
  }
  ::unlink(path.c_str());
  const std::size_t bytes = place(numSamples, 0);
  if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) {
    ::close(file_);
    fail("cannot get " + std::to_string(bytes) + " bytes in " + path);
  }
}

EventFile::~EventFile() {
  ::close(file_);
}

std::size_t EventFile::place(std::uint32_t sample, std::size_t step) const {
  return (sample * numSteps_ + step) * rowWords_ * sizeof(std::uint16_t);
}

void EventFile::write(std::uint32_t sample, std::size_t begin,
                      std::span<const std::uint16_t> rows) {
  const std::span bytes = std::as_bytes(rows);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pwrite(file_, bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(place(sample, begin) + done));
    if (count < 0 && errno != EINTR) {
      fail("cannot write");
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

void EventFile::read(std::uint32_t sample, std::size_t begin, std::span<std::uint16_t> rows) const {
  const std::span bytes = std::as_writable_bytes(rows);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(file_, bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(place(sample, begin) + done));
    if (count == 0 || (count < 0 && errno != EINTR)) {
      fail("cannot read");
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

} // namespace spillway
