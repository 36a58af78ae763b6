#include "data/Hdf5Extent.hpp"

#include "data/FileBytes.hpp"

#include <algorithm>
#include <cstdint>

namespace spillway {
namespace {

// Compression saves at most a factor of about 1000.
constexpr std::uint64_t kMostExpansion = 2000;
// What is nowhere in the file reads as zeros; nobody means many of them.
constexpr std::uint64_t kMostAbsentBytes = std::uint64_t{1} << 28;

} // namespace

std::string quoted(const std::string& name) {
  return "data set '" + name + "'";
}

std::vector<std::size_t> extentOf(const Hdf5Handle& set) {
  const Hdf5Handle space(H5Dget_space(set.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank > 0 ? rank : 0));
  if (rank > 0) {
    H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  }
  return {extents.begin(), extents.end()};
}

std::size_t credibleSize(const std::filesystem::path& path, const std::string& name,
                         const std::vector<std::size_t>& shape, std::size_t bytesPerElement) {
  const std::uint64_t mostBytes =
      std::min(kMaxFileBytes, kMostExpansion * std::filesystem::file_size(path));
  std::size_t size = 1;
  for (std::size_t extent : shape) {
    if (extent != 0 && size > mostBytes / bytesPerElement / extent) {
      throw FileError(path, quoted(name), "has more elements than can be read");
    }
    size *= extent;
  }
  return size;
}

bool isSoundNumber(hid_t type) {
  constexpr std::size_t kMostBytes = 16;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_ENUM) {
    return isSoundNumber(Hdf5Handle(H5Tget_super(type), H5Tclose).id());
  }
  const std::size_t size = H5Tget_size(type), precision = H5Tget_precision(type);
  const int offset = H5Tget_offset(type);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || size == 0 || size > kMostBytes ||
      precision == 0 || offset < 0 || static_cast<std::size_t>(offset) + precision > 8 * size) {
    return false;
  }
  if (kind == H5T_INTEGER) {
    return true;
  }
  std::size_t sign = 0, exponent = 0, exponentBits = 0, mantissa = 0, mantissaBits = 0;
  return H5Tget_fields(type, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits) >= 0 &&
         sign < precision && exponentBits > 0 && mantissaBits > 0 && exponent < precision &&
         exponentBits <= precision - exponent && mantissa < precision &&
         mantissaBits <= precision - mantissa;
}

bool hasStorage(const std::filesystem::path& path, const Hdf5Handle& set, std::size_t numElements) {
  const Hdf5Handle plan(H5Dget_create_plist(set.id()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(plan.id());
  if (layout == H5D_CHUNKED) {
    return true;
  }
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  const std::size_t elementBytes = H5Tget_size(type.id());
  const hsize_t bytes = H5Dget_storage_size(set.id());
  if (elementBytes == 0) {
    return false;
  }
  if (layout == H5D_CONTIGUOUS && bytes == 0 && H5Dget_offset(set.id()) == HADDR_UNDEF) {
    return numElements <= kMostAbsentBytes / elementBytes;
  }
  return bytes % elementBytes == 0 && bytes / elementBytes == numElements &&
         bytes <= std::filesystem::file_size(path);
}

} // namespace spillway
