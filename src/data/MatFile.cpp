#include "data/MatFile.hpp"

#include "data/FileBytes.hpp"
#include "data/MatElements.hpp"
#include "network/IoError.hpp"

#include <matio.h>

#include <cstring>
#include <limits>
#include <memory>

namespace spillway {

namespace {

template <typename T>
bool append(const std::vector<std::uint8_t>& bytes, std::vector<double>& values) {
  if (bytes.size() != values.size() * sizeof(T)) {
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return true;
}

bool convert(matio_classes kind, const std::vector<std::uint8_t>& bytes,
             std::vector<double>& values) {
  switch (kind) {
  case MAT_C_DOUBLE:
    return append<double>(bytes, values);
  case MAT_C_SINGLE:
    return append<float>(bytes, values);
  case MAT_C_INT8:
    return append<std::int8_t>(bytes, values);
  case MAT_C_UINT8:
    return append<std::uint8_t>(bytes, values);
  case MAT_C_INT16:
    return append<std::int16_t>(bytes, values);
  case MAT_C_UINT16:
    return append<std::uint16_t>(bytes, values);
  case MAT_C_INT32:
    return append<std::int32_t>(bytes, values);
  case MAT_C_UINT32:
    return append<std::uint32_t>(bytes, values);
  default:
    return false;
  }
}

} // namespace

MatArray readMat(const std::filesystem::path& path, const std::string& variable) {
  if (!std::filesystem::is_regular_file(path)) {
    throw IoError(path.string() + ": no such file");
  }
  // The library fills what it cannot read with zeros, so a short file has to be found out before
  // it.
  const std::uint64_t mostElements = checkMatElements(path); // an element takes a byte at least
  const std::unique_ptr<mat_t, int (*)(mat_t*)> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY),
                                                     Mat_Close);
  if (!file) {
    throw FileError(path, 0, "not a MATLAB .mat file");
  }
  const std::unique_ptr<matvar_t, void (*)(matvar_t*)> read(
      Mat_VarReadInfo(file.get(), variable.c_str()), Mat_VarFree);
  const std::string place = "variable '" + variable + "'";
  if (!read) {
    throw FileError(path, place, "is missing or cannot be read");
  }
  MatArray array;
  std::size_t count = 1;
  for (int d = 0; d < read->rank; ++d) {
    const std::size_t extent = read->dims[d];
    if (extent != 0 && count > mostElements / extent) {
      throw FileError(path, place, "has more elements than its file has bytes");
    }
    array.shape.push_back(extent);
    count *= extent;
  }
  // Where a damaged file has fewer values than its extents say, the library leaves the rest as it
  // was: 0.
  std::vector<std::uint8_t> bytes(count * Mat_SizeOfClass(read->class_type));
  array.values.resize(count);
  if (read->isComplex != 0 || count > std::numeric_limits<int>::max() ||
      Mat_VarReadDataLinear(file.get(), read.get(), bytes.data(), 0, 1, static_cast<int>(count)) !=
          0 ||
      !convert(read->class_type, bytes, array.values)) {
    throw FileError(path, place, "is not a whole array of real numbers");
  }
  return array;
}

} // namespace spillway
