// IDX: the format of MNIST and its kin. Bytes 0, 1: zero; 2: type; 3: dimensions; then each extent
// as a big-endian 32-bit number; then the values, last index fastest. Plain or gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace spillway {

struct IdxArray {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> values;
};

// REQUIRES: unsigned bytes (type 0x08) of the given number of dimensions, else FileError.
IdxArray readIdx(const std::filesystem::path& path, std::size_t numDimensions);

} // namespace spillway
