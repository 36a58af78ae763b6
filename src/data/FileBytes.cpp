#include "data/FileBytes.hpp"

#include "network/IoError.hpp"

#include <zlib.h>

#include <fstream>
#include <memory>

namespace spillway {

namespace {

std::vector<std::uint8_t> readGzip(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
  if (!file) {
    throw IoError(path.string() + ": cannot be opened");
  }
  std::vector<std::uint8_t> bytes;
  constexpr std::size_t kChunkBytes = 1 << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunkBytes);
    const int count = gzread(file.get(), bytes.data() + before, kChunkBytes);
    bytes.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
    int code = Z_OK;
    const std::string message = gzerror(file.get(), &code);
    if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      throw FileError(path, static_cast<std::uint64_t>(gzoffset(file.get())),
                      "damaged or truncated gzip data: " + message);
    }
    if (bytes.size() > kMaxFileBytes) {
      throw FileError(path, kMaxFileBytes, "unpacks to more than can be read");
    }
    if (count == 0) {
      return bytes;
    }
  }
}

} // namespace

FileError::FileError(const std::filesystem::path& path, std::uint64_t offset,
                     const std::string& message)
    : UserError(path.string() + ": byte " + std::to_string(offset) + ": " + message) {}

FileError::FileError(const std::filesystem::path& path, const std::string& place,
                     const std::string& message)
    : UserError(path.string() + ": " + place + ": " + message) {}

std::vector<std::uint8_t> readFile(const std::filesystem::path& path, Unpack unpack) {
  if (!std::filesystem::is_regular_file(path)) {
    throw IoError(path.string() + ": no such file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(path.string() + ": cannot be opened");
  }
  if (unpack == Unpack::Gunzip && file.get() == 0x1f && file.get() == 0x8b) {
    return readGzip(path);
  }
  file.clear();
  file.seekg(0);
  std::vector<std::uint8_t> bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (file.gcount() != static_cast<std::streamsize>(bytes.size())) {
    throw FileError(path, static_cast<std::uint64_t>(file.gcount()), "could not be read further");
  }
  return bytes;
}

std::span<const std::uint8_t> ByteReader::take(std::size_t count, const std::string& what) {
  if (count > remaining()) {
    fail(what + " needs " + std::to_string(count) + " bytes, but the file ends after " +
         std::to_string(remaining()));
  }
  const auto bytes = bytes_.subspan(position_, count);
  position_ += count;
  return bytes;
}

std::uint32_t ByteReader::u32BigEndian(const std::string& what) {
  const auto b = take(4, what);
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

std::uint16_t ByteReader::u16LittleEndian(const std::string& what) {
  const auto b = take(2, what);
  return static_cast<std::uint16_t>(b[0] | b[1] << 8);
}

std::uint32_t ByteReader::u32LittleEndian(const std::string& what) {
  const auto b = take(4, what);
  return std::uint32_t{b[3]} << 24 | std::uint32_t{b[2]} << 16 | std::uint32_t{b[1]} << 8 | b[0];
}

void ByteReader::fail(const std::string& message) const {
  throw FileError(path_, offset(), message);
}

void ByteReader::expectEnd() const {
  if (remaining() != 0) {
    fail(std::to_string(remaining()) + " bytes follow after the end of the data");
  }
}

} // namespace spillway
