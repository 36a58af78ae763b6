// The types of C++ in the words of the HDF5 library.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <type_traits>

namespace spillway {

template <typename T>
hid_t nativeType() {
  if constexpr (std::is_same_v<T, float>) {
    return H5T_NATIVE_FLOAT;
  } else if constexpr (std::is_same_v<T, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return H5T_NATIVE_UINT8;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return H5T_NATIVE_UINT16;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return H5T_NATIVE_UINT32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return H5T_NATIVE_UINT64;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return H5T_NATIVE_INT32;
  } else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return H5T_NATIVE_INT64;
  }
}

} // namespace spillway
