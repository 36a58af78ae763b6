#include "data/Hdf5NumberSequences.hpp"

#include "data/FileBytes.hpp"
#include "data/Hdf5Errors.hpp"
#include "data/Hdf5Extent.hpp"
#include "data/Hdf5Types.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spillway {
namespace {

Hdf5Handle elementOf(const std::filesystem::path& path, const std::string& name,
                     const Hdf5Handle& set) {
  const ErrorStack errors;
  const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_VLEN) {
    throw FileError(path, quoted(name), "does not hold sequences of numbers");
  }
  Hdf5Handle element(H5Tget_super(type.id()), H5Tclose);
  if (!isSoundNumber(element.id())) {
    throw FileError(path, quoted(name), "does not hold sequences of numbers");
  }
  return element;
}

} // namespace

Hdf5NumberSequences::Hdf5NumberSequences(const std::filesystem::path& path, const std::string& name,
                                         std::int64_t file, Hdf5Handle set)
    : path_(path),
      name_(name),
      set_(std::move(set)),
      element_(elementOf(path_, name_, set_)),
      rows_(path_, name_, file, set_.id()) {}

template <typename T>
std::vector<T> Hdf5NumberSequences::row(std::size_t index) const {
  if (index >= size()) {
    throw FileError(path_, quoted(name_),
                    "has no row " + std::to_string(index) + "; it has " + std::to_string(size()));
  }
  const ErrorStack errors;
  const std::size_t elementBytes = H5Tget_size(element_.id());
  std::vector<std::uint8_t> bytes = rows_.bytes(index, elementBytes);
  std::vector<T> values(bytes.size() / elementBytes);
  bytes.resize(values.size() * std::max(elementBytes, sizeof(T))); // converted in place
  if (H5Tconvert(element_.id(), nativeType<T>(), values.size(), bytes.data(), nullptr,
                 H5P_DEFAULT) < 0) {
    throw FileError(path_, quoted(name_) + ", row " + std::to_string(index),
                    "cannot be converted: " + ErrorStack::message());
  }
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  }
  return values;
}

template std::vector<float> Hdf5NumberSequences::row(std::size_t) const;
template std::vector<double> Hdf5NumberSequences::row(std::size_t) const;

} // namespace spillway
