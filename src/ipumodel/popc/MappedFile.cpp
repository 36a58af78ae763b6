#include "popc/MappedFile.hpp"

#include <poplar/exceptions.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace ipumodel::popc {
namespace {

void* addressOf(std::string_view bytes) {
  return const_cast<char*>(bytes.data());
}

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (descriptor >= 0)
      close(descriptor);
    throw poplar::file_load_error(path.string());
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const at = size == 0 ? MAP_FAILED // nothing to map is no error
                             : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (at != MAP_FAILED)
    bytes_ = {static_cast<const char*>(at), size};
  else if (size != 0)
    throw poplar::file_load_error(path.string());
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    munmap(addressOf(bytes_), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::dropPages() const {
  if (!bytes_.empty())
    madvise(addressOf(bytes_), bytes_.size(), MADV_DONTNEED);
}

} // namespace ipumodel::popc
