// Files as bytes that cannot be read past their end, with errors that name file and offset.
#pragma once

#include "network/UserError.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace spillway {

// "PATH: byte OFFSET: MESSAGE"
class FileError : public UserError {
public:
  FileError(const std::filesystem::path& path, std::uint64_t offset, const std::string& message);
  // For formats that are read by a library and know no offset: "PATH: PLACE: MESSAGE".
  FileError(const std::filesystem::path& path, const std::string& place,
            const std::string& message);
};

// REQUIRES: path names a regular file, else IoError. Gunzip: content starting with the gzip magic
// is unpacked (at most kMaxFileBytes); offsets then count unpacked bytes.
enum class Unpack { No, Gunzip };
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 36;
std::vector<std::uint8_t> readFile(const std::filesystem::path& path, Unpack unpack = Unpack::No);

// Reads values one after the other. Every member throws FileError rather than pass the end.
class ByteReader {
public:
  // baseOffset: where the bytes start within the file.
  ByteReader(std::filesystem::path path, std::span<const std::uint8_t> bytes,
             std::uint64_t baseOffset = 0)
      : path_(std::move(path)), bytes_(bytes), baseOffset_(baseOffset) {}

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t offset() const { return baseOffset_ + position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }

  std::span<const std::uint8_t> take(std::size_t count, const std::string& what);
  std::uint8_t u8(const std::string& what) { return take(1, what)[0]; }
  std::uint32_t u32BigEndian(const std::string& what);
  std::uint16_t u16LittleEndian(const std::string& what);
  std::uint32_t u32LittleEndian(const std::string& what);
  std::int32_t i32LittleEndian(const std::string& what) {
    return static_cast<std::int32_t>(u32LittleEndian(what));
  }

  // Throws FileError at the current offset.
  [[noreturn]] void fail(const std::string& message) const;
  // Throws FileError unless all bytes were read.
  void expectEnd() const;

private:
  std::filesystem::path path_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t baseOffset_;
  std::size_t position_ = 0;
};

} // namespace spillway
