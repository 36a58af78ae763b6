// NumPy arrays: .npy, and .npz archives of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace spillway {

// Numbers and booleans of any width, in C order; element i is converted when asked for.
class NpyArray {
public:
  // name: what errors call it. Throws FileError for anything but a whole .npy of plain numbers.
  static NpyArray parse(const std::filesystem::path& name, std::vector<std::uint8_t> bytes);
  static NpyArray read(const std::filesystem::path& path);

  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;
  double operator[](std::size_t index) const;  // REQUIRES: index < size()
  bool isReal() const { return kind_ == 'f'; } // so that an element may be infinite or no number

private:
  void setType(const std::filesystem::path& name, const std::string& descr);

  std::vector<std::size_t> shape_;
  char kind_ = 'u'; // b, i, u or f
  std::size_t elementBytes_ = 1;
  std::size_t dataOffset_ = 0;
  std::vector<std::uint8_t> bytes_;
};

// Those of the named arrays that an archive holds, by name without ".npy"; what else it holds is
// not looked at. Throws FileError.
std::map<std::string, NpyArray> readNpz(const std::filesystem::path& path,
                                        const std::set<std::string>& names);

} // namespace spillway
