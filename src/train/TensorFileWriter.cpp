#include "train/Hdf5Handle.hpp"
#include "train/TensorFile.hpp"

#include <stdexcept>

namespace spillway {

using hdf5::Handle;
using hdf5::nativeType;
using hdf5::stringType;

namespace {

void require(bool done, const char* what) {
  if (!done) {
    throw std::runtime_error(std::string("HDF5 failed to ") + what);
  }
}

void writeAttribute(hid_t file, const std::string& name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(attribute.valid() && H5Awrite(attribute.get(), type, value) >= 0, "write an attribute");
}

} // namespace

TensorFileWriter::TensorFileWriter() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), std::size_t{1} << 20, 0); // in memory, never written by HDF5
  file_ = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  require(file_ >= 0, "make a file in memory");
}

TensorFileWriter::~TensorFileWriter() {
  H5Fclose(file_);
}

template <class T>
void TensorFileWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                           std::span<const T> values) {
  std::size_t count = 1;
  std::vector<hsize_t> extent;
  for (const std::size_t size : shape) {
    count *= size;
    extent.push_back(size);
  }
  if (count != values.size()) {
    throw std::logic_error(name + ": shape and number of values differ");
  }
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                     H5Sclose);
  const Handle set(H5Dcreate2(file_, name.c_str(), nativeType<T>(), space.get(), links.get(),
                              H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  require(set.valid() && (count == 0 || H5Dwrite(set.get(), nativeType<T>(), H5S_ALL, H5S_ALL,
                                                 H5P_DEFAULT, values.data()) >= 0),
          "write a tensor");
}

void TensorFileWriter::attribute(const std::string& name, std::uint64_t value) {
  writeAttribute(file_, name, H5T_NATIVE_UINT64, &value);
}

void TensorFileWriter::attribute(const std::string& name, double value) {
  writeAttribute(file_, name, H5T_NATIVE_DOUBLE, &value);
}

void TensorFileWriter::attribute(const std::string& name, const std::string& value) {
  const Handle type = stringType(value.size() + 1);
  writeAttribute(file_, name, type.get(), value.c_str());
}

std::vector<char> TensorFileWriter::image(std::size_t userBlockBytes) {
  require(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "flush");
  const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
  require(size > 0, "size a file");
  std::vector<char> bytes(userBlockBytes + static_cast<std::size_t>(size));
  require(H5Fget_file_image(file_, bytes.data() + userBlockBytes, static_cast<std::size_t>(size)) ==
              size,
          "copy a file");
  return bytes;
}

using Shape = std::vector<std::size_t>;
template void TensorFileWriter::add<float>(const std::string&, const Shape&,
                                           std::span<const float>);
template void TensorFileWriter::add<double>(const std::string&, const Shape&,
                                            std::span<const double>);
template void TensorFileWriter::add<std::uint16_t>(const std::string&, const Shape&,
                                                   std::span<const std::uint16_t>);
template void TensorFileWriter::add<std::uint32_t>(const std::string&, const Shape&,
                                                   std::span<const std::uint32_t>);
template void TensorFileWriter::add<std::uint64_t>(const std::string&, const Shape&,
                                                   std::span<const std::uint64_t>);
template void TensorFileWriter::add<std::int32_t>(const std::string&, const Shape&,
                                                  std::span<const std::int32_t>);

} // namespace spillway
