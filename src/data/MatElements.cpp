#include "data/MatElements.hpp"

#include "data/FileBytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace spillway {

namespace {

constexpr std::uint32_t kMatrix = 14, kCompressed = 15;
constexpr std::size_t kTagBytes = 8;

struct SubElement {
  std::uint64_t at = 0; // of its tag
  std::uint32_t kind = 0;
  std::span<const std::uint8_t> data = {};
};

// A tag of two words and data padded to eight bytes; or, of at most four bytes, all in one of
// eight.
SubElement takeSubElement(ByteReader& reader, const std::string& what) {
  SubElement element{.at = reader.offset()};
  const std::uint32_t first = reader.u32LittleEndian(what);
  std::size_t size = first >> 16, room = 4;
  element.kind = first & 0xffff;
  if (size == 0) {
    size = reader.u32LittleEndian(what);
    room = std::max(size, std::min((size + 7) / 8 * 8, reader.remaining()));
  }
  if (size > room) {
    throw FileError(reader.path(), element.at,
                    what + " cannot have " + std::to_string(size) + " bytes");
  }
  element.data = reader.take(room, what).first(size);
  return element;
}

// How many bytes a number of a kind takes; 0: no numbers.
std::size_t bytesOf(std::uint32_t kind) {
  constexpr std::array<std::uint8_t, 14> kBytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return kind < kBytes.size() ? kBytes[kind] : 0;
}

// That an array of real numbers has as many as its extents say, and ends where it should: the
// library makes up what is missing. Other variables are nobody's business here.
void checkMatrix(ByteReader reader) {
  constexpr std::uint32_t kUint32 = 6, kInt32 = 5, kInt8 = 1;
  constexpr std::uint8_t kFirstNumeric = 6, kLastNumeric = 15, kComplex = 0x08;
  const SubElement flags = takeSubElement(reader, "the flags of a variable");
  if (flags.kind != kUint32 || flags.data.size() != 8) {
    throw FileError(reader.path(), flags.at, "a variable begins without its flags");
  }
  if (flags.data[0] < kFirstNumeric || flags.data[0] > kLastNumeric ||
      (flags.data[1] & kComplex) != 0) {
    return;
  }
  const SubElement extents = takeSubElement(reader, "the extents of a variable");
  const SubElement name = takeSubElement(reader, "the name of a variable");
  const SubElement values = takeSubElement(reader, "the values of a variable");
  ByteReader numbers(reader.path(), extents.data, extents.at + kTagBytes);
  std::uint64_t count = 1;
  while (extents.kind == kInt32 && numbers.remaining() > 0) {
    const std::uint64_t extent = numbers.u32LittleEndian("an extent");
    count = extent != 0 && count > values.data.size() / extent ? UINT64_MAX : count * extent;
  }
  if (extents.kind != kInt32 || name.kind != kInt8 || bytesOf(values.kind) == 0 ||
      values.data.size() % bytesOf(values.kind) != 0 ||
      values.data.size() / bytesOf(values.kind) != count) {
    throw FileError(reader.path(), values.at,
                    std::to_string(values.data.size()) + " bytes of kind " +
                        std::to_string(values.kind) + " are not the variable's numbers");
  }
  reader.expectEnd();
}

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
    if (kind == kMatrix) { // a compressed one has a checksum
      checkMatrix(ByteReader(path, data, at + kTagBytes));
    }
    largest = std::max(largest, kind == kCompressed ? checkCompressed(path, at + kTagBytes, data)
                                                    : std::uint64_t{size});
  }
  return largest;
}

} // namespace spillway
