#include "data/MatElements.hpp"

#include "data/FileBytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace spillway {

namespace {

constexpr std::uint32_t kMatrix = 14, kCompressed = 15;
constexpr std::size_t kTagBytes = 8;

// Unpacks to nowhere: that zlib reaches the end of the stream and the size inside agrees is all we
// ask. Returns that size.
std::uint64_t checkCompressed(const std::filesystem::path& path, std::uint64_t offset,
                              std::span<const std::uint8_t> data) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) {
    throw std::bad_alloc();
  }
  stream.next_in = const_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  std::array<std::uint8_t, 1 << 16> buffer{};
  std::uint64_t numBytes = 0, innerBytes = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = buffer.size() - stream.avail_out;
    if (numBytes == 0 && made >= kTagBytes) {
      innerBytes = buffer[4] | std::uint64_t{buffer[5]} << 8 | std::uint64_t{buffer[6]} << 16 |
                   std::uint64_t{buffer[7]} << 24;
    }
    numBytes += made;
    if (code == Z_BUF_ERROR || (made == 0 && stream.avail_in == 0)) {
      break;
    }
  }
  const std::uint64_t position = offset + (data.size() - stream.avail_in);
  inflateEnd(&stream);
  if (code != Z_STREAM_END || numBytes != kTagBytes + innerBytes) {
    throw FileError(path, position, "compressed variable is damaged or cut off");
  }
  return innerBytes;
}

} // namespace

std::uint64_t checkMatElements(const std::filesystem::path& path) {
  constexpr std::size_t kHeaderBytes = 128, kVersionAt = 124;
  const std::vector<std::uint8_t> bytes = readFile(path);
  ByteReader reader(path, bytes);
  const auto header = reader.take(kHeaderBytes, "the header of a .mat file");
  if (header[kVersionAt + 2] != 'I' || header[kVersionAt + 3] != 'M' ||
      header[kVersionAt + 1] != 1) {
    throw FileError(path, kVersionAt,
                    "not a MATLAB 5 .mat file in little-endian order (save with -v7 or -v6)");
  }
  std::uint64_t largest = 0;
  while (reader.remaining() > 0) {
    const std::uint64_t at = reader.offset();
    const std::uint32_t kind = reader.u32LittleEndian("a variable's tag");
    const std::uint32_t size = reader.u32LittleEndian("a variable's tag");
    if (kind != kMatrix && kind != kCompressed) {
      throw FileError(path, at,
                      "element of kind " + std::to_string(kind) + "; variables are 14 or 15");
    }
    const auto data = reader.take(size, "a variable");
    largest = std::max(largest, kind == kCompressed ? checkCompressed(path, at + kTagBytes, data)
                                                    : std::uint64_t{size});
  }
  return largest;
}

} // namespace spillway
