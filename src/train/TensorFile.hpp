// Named tensors in HDF5, as snapshots and dumps use it: plain names ("layer0/weight"), native
// little-endian types, attributes on the root group; h5py opens it as any other file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace spillway {

// Builds the file in memory, so that writing it is one operation with one error to report.
// T is float, double, uint16_t, uint32_t, uint64_t or int32_t.
class TensorFileWriter {
public:
  TensorFileWriter();
  ~TensorFileWriter();
  TensorFileWriter(const TensorFileWriter&) = delete;
  TensorFileWriter& operator=(const TensorFileWriter&) = delete;

  template <class T>
  void add(const std::string& name, const std::vector<std::size_t>& shape,
           std::span<const T> values);
  void attribute(const std::string& name, std::uint64_t value);
  void attribute(const std::string& name, double value);
  void attribute(const std::string& name, const std::string& value);

  // The file's bytes. `userBlockBytes` (0, or 512 and its doublings) zeros stand before HDF5's own.
  std::vector<char> image(std::size_t userBlockBytes = 0);

private:
  std::int64_t file_;
};

class TensorFileReader {
public:
  explicit TensorFileReader(std::filesystem::path path); // throws IoError
  ~TensorFileReader();
  TensorFileReader(const TensorFileReader&) = delete;
  TensorFileReader& operator=(const TensorFileReader&) = delete;

  bool has(const std::string& name) const;
  std::vector<std::size_t> shape(const std::string& name) const; // throws IoError if not there
  template <class T>
  std::vector<T> values(const std::string& name) const;
  std::uint64_t wholeAttribute(const std::string& name) const;
  double realAttribute(const std::string& name) const;
  std::string textAttribute(const std::string& name) const;

private:
  std::filesystem::path path_;
  std::int64_t file_;
};

} // namespace spillway
