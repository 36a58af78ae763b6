#include "data/Hdf5File.hpp"

#include "data/FileBytes.hpp"
#include "data/Hdf5Errors.hpp"
#include "data/Hdf5Extent.hpp"
#include "data/Hdf5NumberSequences.hpp"
#include "data/Hdf5Types.hpp"
#include "network/IoError.hpp"

#include <fstream>
#include <functional>
#include <numeric>
#include <utility>

namespace spillway {

namespace {

Hdf5Handle openFile(const std::filesystem::path& path) {
  const ErrorStack errors;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path)) {
    throw IoError(path.string() + ": no such file");
  }
  if (file.get() == 0x1f && file.get() == 0x8b) {
    throw FileError(path, 0, "is packed with gzip; unpack it with gunzip first");
  }
  Hdf5Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!handle.isOpen()) {
    throw FileError(path, 0, "not a whole HDF5 file: " + ErrorStack::message());
  }
  return handle;
}

Hdf5Handle createFile(const std::filesystem::path& path) {
  const ErrorStack errors;
  // A file of its own rather than the old one emptied, which may be open elsewhere, say in a
  // notebook.
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    std::filesystem::remove(path, ignored);
  }
  Hdf5Handle handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!handle.isOpen()) {
    throw IoError(path.string() + ": cannot be written: " + ErrorStack::message());
  }
  return handle;
}

Hdf5Handle createInMemory() {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), std::size_t{1} << 20, 0); // grows by 1 MiB, never stored
  return {H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
}

} // namespace

Hdf5Handle::~Hdf5Handle() {
  if (id_ >= 0) {
    close_(id_);
  }
}

Hdf5Reader::Hdf5Reader(std::filesystem::path path)
    : path_(std::move(path)), file_(openFile(path_)) {}

bool Hdf5Reader::has(const std::string& name) const {
  const ErrorStack errors;
  // Every group on the way has to be asked for by itself.
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(file_.id(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) {
      return false;
    }
  }
  return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5Handle Hdf5Reader::openDataSet(const std::string& name) const {
  const ErrorStack errors;
  Hdf5Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.isOpen()) {
    throw FileError(path_, quoted(name), "cannot be opened: " + ErrorStack::message());
  }
  return set;
}

std::vector<std::size_t> Hdf5Reader::shape(const std::string& name) const {
  const Hdf5Handle set = openDataSet(name);
  std::vector<std::size_t> shape = extentOf(set);
  credibleSize(path_, name, shape, 1);
  return shape;
}

template <typename T>
Hdf5Array<T> Hdf5Reader::read(const std::string& name) const {
  const Hdf5Handle set = openDataSet(name);
  const ErrorStack errors;
  Hdf5Array<T> array;
  array.shape = extentOf(set);
  const std::size_t size = credibleSize(path_, name, array.shape, sizeof(T));
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  if (!isSoundNumber(type.id()) || !hasStorage(path_, set, size)) {
    throw FileError(path_, quoted(name), "does not hold as many numbers as its shape says");
  }
  array.values.resize(size);
  if (size > 0 &&
      H5Dread(set.id(), nativeType<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0) {
    throw FileError(path_, quoted(name), "cannot be read: " + ErrorStack::message());
  }
  return array;
}

template <typename T>
Hdf5Array<T> Hdf5Reader::readRows(const std::string& name, std::size_t first,
                                  std::size_t count) const {
  const Hdf5Handle set = openDataSet(name);
  const ErrorStack errors;
  const Hdf5Handle space(H5Dget_space(set.id()), H5Sclose);
  Hdf5Array<T> rows;
  rows.shape = extentOf(set);
  rows.shape.front() = count;
  std::vector<hsize_t> start(rows.shape.size(), 0);
  start.front() = first;
  const std::vector<hsize_t> extent(rows.shape.begin(), rows.shape.end());
  rows.values.resize(
      std::accumulate(extent.begin(), extent.end(), std::size_t{1}, std::multiplies<>()));
  const Hdf5Handle part(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                        H5Sclose);
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                          nullptr) < 0 ||
      H5Dread(set.id(), nativeType<T>(), part.id(), space.id(), H5P_DEFAULT, rows.values.data()) <
          0) {
    throw FileError(path_, quoted(name), "cannot be read: " + ErrorStack::message());
  }
  return rows;
}

Hdf5NumberSequences Hdf5Reader::numberSequences(const std::string& name) const {
  return {path_, name, file_.id(), openDataSet(name)};
}

Hdf5Writer::Hdf5Writer(std::filesystem::path path)
    : path_(std::move(path)), file_(createFile(path_)) {}

Hdf5Writer::Hdf5Writer() : path_("in memory"), file_(createInMemory()) {}

std::vector<char> Hdf5Writer::image() const {
  const ErrorStack errors;
  H5Fflush(file_.id(), H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
  std::vector<char> bytes(static_cast<std::size_t>(size > 0 ? size : 0));
  if (size <= 0 || H5Fget_file_image(file_.id(), bytes.data(), bytes.size()) != size) {
    throw std::runtime_error("HDF5 cannot lay out a file: " + ErrorStack::message());
  }
  return bytes;
}

template <typename T>
void Hdf5Writer::write(const std::string& name, const std::vector<std::size_t>& shape,
                       std::span<const T> values) {
  const ErrorStack errors;
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Hdf5Handle space(
      extents.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
      H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != static_cast<hssize_t>(values.size())) {
    throw std::logic_error(quoted(name) + ": the number of values does not fit the shape");
  }
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Hdf5Handle set(H5Dcreate2(file_.id(), name.c_str(), nativeType<T>(), space.id(), links.id(),
                                  H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  if (!set.isOpen() || (!values.empty() && H5Dwrite(set.id(), nativeType<T>(), H5S_ALL, H5S_ALL,
                                                    H5P_DEFAULT, values.data()) < 0)) {
    throw FileError(path_, quoted(name), "cannot be written: " + ErrorStack::message());
  }
}

void Hdf5Writer::close() {
  const ErrorStack errors;
  if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) {
    throw IoError(path_.string() + ": cannot be written: " + ErrorStack::message());
  }
  const Hdf5Handle closing = std::move(file_);
}

template Hdf5Array<float> Hdf5Reader::read(const std::string&) const;
template Hdf5Array<double> Hdf5Reader::read(const std::string&) const;
template Hdf5Array<std::int32_t> Hdf5Reader::read(const std::string&) const;
template Hdf5Array<std::int64_t> Hdf5Reader::read(const std::string&) const;
template Hdf5Array<double> Hdf5Reader::readRows(const std::string&, std::size_t, std::size_t) const;
using Shape = std::vector<std::size_t>;
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const float>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const double>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::uint8_t>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::uint16_t>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::uint32_t>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::uint64_t>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::int32_t>);
template void Hdf5Writer::write(const std::string&, const Shape&, std::span<const std::int64_t>);

} // namespace spillway
