// Numeric arrays of MATLAB .mat files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

struct MatArray {
  std::vector<std::size_t> shape;
  std::vector<double> values; // column-major: the first index fastest
};

// Throws FileError where the file is none, the variable is missing or no real numeric array, or its
// data is cut off.
MatArray readMat(const std::filesystem::path& path, const std::string& variable);

} // namespace spillway
