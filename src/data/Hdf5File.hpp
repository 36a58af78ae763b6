// HDF5 files as named arrays. Groups in a name ("layer0/weight") are made as needed; element types
// are converted by the library. Layouts of our files: docs/data-formats.md.
//
// Errors are FileErrors that name the file and the data set, with the library's own words; IoErrors
// where the file itself cannot be opened or written.
#pragma once

#include "data/Hdf5Handle.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace spillway {

class Hdf5NumberSequences;

template <typename T>
struct Hdf5Array {
  std::vector<std::size_t> shape; // empty: one value
  std::vector<T> values;          // row-major
};

class Hdf5Reader {
public:
  explicit Hdf5Reader(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const;
  std::vector<std::size_t> shape(const std::string& name) const; // refused where the file is too
                                                                 // short to hold it

  // T: float, double, int32_t or int64_t. Integers out of T's range are clipped by the library, so
  // what a stranger may have written is best read as int64_t.
  template <typename T>
  Hdf5Array<T> read(const std::string& name) const;

  // [first, first + count) of the first dimension, of which `shape` then says `count`.
  // REQUIRES: a data set of at least one dimension, and rows that exist.
  template <typename T>
  Hdf5Array<T> readRows(const std::string& name, std::size_t first, std::size_t count) const;

  // The names within a group, in alphabetical order ("": the file itself).
  std::vector<std::string> members(const std::string& group) const;
  bool isGroup(const std::string& name) const;
  bool isText(const std::string& name) const;    // a data set of strings
  bool isNumeric(const std::string& name) const; // a data set of integers or reals

  // All strings of a data set of strings, row-major, of whatever kind (fixed or variable length).
  std::vector<std::string> readTexts(const std::string& name) const;

  // The rows of a data set of variable-length sequences of numbers, to be read one by one while
  // this reader lives.
  Hdf5NumberSequences numberSequences(const std::string& name) const;

private:
  int classOf(const std::string& name) const; // H5T_class_t; -1: no data set
  Hdf5Handle openDataSet(const std::string& name) const;
  std::vector<std::string> variableTexts(const std::string& name, const Hdf5Handle& set) const;
  std::vector<std::string> fixedTexts(const std::string& name, const Hdf5Handle& set,
                                      const Hdf5Handle& fileType) const;

  std::filesystem::path path_;
  Hdf5Handle file_;
};

class Hdf5Writer {
public:
  // Replaces the file if there is one.
  explicit Hdf5Writer(std::filesystem::path path);
  // Builds the file in memory, for image().
  Hdf5Writer();

  // T: float, double, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int32_t or
  // std::int64_t.
  // An empty shape writes one value.
  template <typename T>
  void write(const std::string& name, const std::vector<std::size_t>& shape,
             std::span<const T> values);

  template <typename T>
  void write(const std::string& name, T value) {
    write<T>(name, {}, std::span<const T>(&value, 1));
  }

  // Strings of variable length in UTF-8, as h5py writes them.
  void writeTexts(const std::string& name, const std::vector<std::size_t>& shape,
                  const std::vector<std::string>& texts);
  void writeText(const std::string& name, const std::string& text) { writeTexts(name, {}, {text}); }

  // The bytes of the file so far. REQUIRES: made in memory.
  std::vector<char> image() const;

  // Flushes and closes; a full disk shows here. The destructor closes without a word.
  void close();

private:
  std::filesystem::path path_;
  Hdf5Handle file_;
};

} // namespace spillway
