// Sequences of variable length in HDF5 files, followed and checked without the library.
//
// Such a data set holds references: a length, the address of a collection in the file (a "global
// heap"), the number of an object there. The library follows them on trust, out of its own memory
// where a file is damaged. Here every step is held to the size of the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

class Hdf5Sequences {
public:
  // The open data set `name` of an open file, which both outlive this; hid_t of the library.
  // Throws FileError where the references lie in a way that is not read: packed by filters other
  // than gzip and shuffle, or in chunks of several dimensions.
  Hdf5Sequences(std::filesystem::path path, std::string name, std::int64_t file, std::int64_t set);

  std::size_t size() const { return size_; } // number of sequences, row-major

  // The bytes of one sequence, as many elements of `elementBytes` as its reference says. Throws
  // FileError with the offset of what is wrong. Not for two threads at a time.
  // REQUIRES: index < size().
  std::vector<std::uint8_t> bytes(std::size_t index, std::size_t elementBytes) const;

  // Every piece of the references that only the library finds its way to.
  void readReferences() const;

private:
  struct Reference {
    std::uint64_t numElements = 0, address = 0;
    std::uint32_t object = 0;
  };
  // The piece of the file that was read last: rows that follow each other mostly share it.
  struct Piece {
    std::optional<std::uint64_t> place;
    std::vector<std::uint8_t> bytes;
  };

  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuseRow(std::size_t index, const std::string& message) const;
  std::vector<std::uint8_t> readAt(std::uint64_t offset, std::uint64_t count,
                                   const std::string& what) const;
  std::vector<std::uint8_t> readChunk(std::uint64_t index) const;
  const std::vector<std::uint8_t>& chunk(std::uint64_t index) const;
  const std::vector<std::uint8_t>& collection(std::uint64_t begin, std::size_t index) const;
  Reference reference(std::size_t index) const;

  std::filesystem::path path_;
  std::string name_;
  std::int64_t set_;
  std::uint64_t fileBytes_ = 0;
  std::uint64_t base_ = 0; // what addresses count from
  std::size_t size_ = 0;
  std::uint64_t offset_ = 0;     // of the references, where they lie in one piece
  bool isWritten_ = true;        // else all sequences are empty
  std::uint64_t chunkRows_ = 0;  // 0: in one piece
  std::vector<int> filters_;     // H5Z_filter_t, in the order in which they packed
  mutable std::ifstream stream_; // of the file
  mutable Piece chunk_, collection_;
};

} // namespace spillway
