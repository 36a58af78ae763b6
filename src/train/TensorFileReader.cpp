#include "train/Hdf5Handle.hpp"
#include "train/IoError.hpp"
#include "train/TensorFile.hpp"

#include <utility>

namespace spillway {

using hdf5::Handle;
using hdf5::nativeType;
using hdf5::Quiet;
using hdf5::stringType;

namespace {

void readAttribute(hid_t file, const std::filesystem::path& path, const std::string& name,
                   hid_t type, void* value) {
  const Quiet quiet;
  const Handle attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Aread(attribute.get(), type, value) < 0) {
    throw IoError(path.string() + " has no readable attribute " + name);
  }
}

} // namespace

TensorFileReader::TensorFileReader(std::filesystem::path path) : path_(std::move(path)) {
  const Quiet quiet;
  if (!std::filesystem::is_regular_file(path_)) {
    throw IoError("no such file: " + path_.string());
  }
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0) {
    throw IoError(path_.string() + " is not an HDF5 file, or is damaged");
  }
}

TensorFileReader::~TensorFileReader() {
  H5Fclose(file_);
}

bool TensorFileReader::has(const std::string& name) const {
  const Quiet quiet;
  const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  return set.valid();
}

std::vector<std::size_t> TensorFileReader::shape(const std::string& name) const {
  const Quiet quiet;
  const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) {
    throw IoError(path_.string() + " holds no tensor " + name);
  }
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  std::vector<hsize_t> extent(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return {extent.begin(), extent.end()};
}

template <class T>
std::vector<T> TensorFileReader::values(const std::string& name) const {
  std::size_t count = 1;
  for (const std::size_t size : shape(name)) {
    count *= size;
  }
  const Quiet quiet;
  std::vector<T> result(count);
  const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (count > 0 &&
      H5Dread(set.get(), nativeType<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0) {
    throw IoError(path_.string() + ": cannot read the tensor " + name + " as numbers");
  }
  return result;
}

std::uint64_t TensorFileReader::wholeAttribute(const std::string& name) const {
  std::uint64_t value = 0;
  readAttribute(file_, path_, name, H5T_NATIVE_UINT64, &value);
  return value;
}

double TensorFileReader::realAttribute(const std::string& name) const {
  double value = 0.0;
  readAttribute(file_, path_, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::string TensorFileReader::textAttribute(const std::string& name) const {
  const Quiet quiet;
  const Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose);
  const std::size_t size = attribute.valid() ? H5Aget_storage_size(attribute.get()) : 0;
  std::string value(size + 1, '\0');
  const Handle type = stringType(value.size());
  readAttribute(file_, path_, name, type.get(), value.data());
  return value.c_str();
}

template std::vector<float> TensorFileReader::values<float>(const std::string&) const;
template std::vector<double> TensorFileReader::values<double>(const std::string&) const;
template std::vector<std::uint16_t>
TensorFileReader::values<std::uint16_t>(const std::string&) const;
template std::vector<std::uint32_t>
TensorFileReader::values<std::uint32_t>(const std::string&) const;
template std::vector<std::uint64_t>
TensorFileReader::values<std::uint64_t>(const std::string&) const;
template std::vector<std::int32_t> TensorFileReader::values<std::int32_t>(const std::string&) const;

} // namespace spillway
