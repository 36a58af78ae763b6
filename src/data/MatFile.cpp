#include "data/MatFile.hpp"

#include "data/FileBytes.hpp"
#include "data/MatElements.hpp"
#include "network/IoError.hpp"

#include <matio.h>

#include <memory>

namespace spillway {

namespace {

template <typename T>
void append(const matvar_t& variable, std::size_t count, std::vector<double>& values) {
  const T* data = static_cast<const T*>(variable.data);
  values.assign(data, data + count);
}

bool convert(const matvar_t& variable, std::size_t count, std::vector<double>& values) {
  switch (variable.class_type) {
  case MAT_C_DOUBLE:
    append<double>(variable, count, values);
    return true;
  case MAT_C_SINGLE:
    append<float>(variable, count, values);
    return true;
  case MAT_C_INT8:
    append<std::int8_t>(variable, count, values);
    return true;
  case MAT_C_UINT8:
    append<std::uint8_t>(variable, count, values);
    return true;
  case MAT_C_INT16:
    append<std::int16_t>(variable, count, values);
    return true;
  case MAT_C_UINT16:
    append<std::uint16_t>(variable, count, values);
    return true;
  case MAT_C_INT32:
    append<std::int32_t>(variable, count, values);
    return true;
  case MAT_C_UINT32:
    append<std::uint32_t>(variable, count, values);
    return true;
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
  if (Mat_VarReadDataAll(file.get(), read.get()) != 0 || read->data == nullptr) {
    throw FileError(path, place, "cannot be read");
  }
  if (read->isComplex != 0 || read->nbytes != count * static_cast<std::size_t>(read->data_size) ||
      !convert(*read, count, array.values)) {
    throw FileError(path, place, "is not a whole array of real numbers");
  }
  return array;
}

} // namespace spillway
