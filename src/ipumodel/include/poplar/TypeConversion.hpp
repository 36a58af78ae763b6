// Host values to and from the bits that a device holds.
#pragma once

#include <poplar/ArrayRef.hpp>
#include <poplar/IeeeHalf.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>

namespace poplar {

// For the library itself. `metadata` matters for QUARTER only.
void convertToDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src,
                         const TypeTraits& traits, std::size_t n, void* dst);
void convertFromDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src,
                           void* dst, const TypeTraits& traits, std::size_t n);

// Infinities become QUARTER's NaN, finite numbers beyond its range the largest one.
template <typename T>
void convertToDeviceType(const Type& type, const QuarterMetadata& metadata, ArrayRef<T> src,
                         void* dst) {
  typedef typename std::remove_const<T>::type Host;
  convertToDeviceType(type, metadata, src.data(), TypeTraits::make<Host>(), src.size(), dst);
}
template <typename T>
void convertToDeviceType(const Type& type, ArrayRef<T> src, void* dst) {
  convertToDeviceType(type, QuarterMetadata(), src, dst);
}
template <typename T>
void convertToDeviceType(const Type& type, const std::vector<T>& src, void* dst) {
  convertToDeviceType(type, QuarterMetadata(), ArrayRef<T>(src), dst);
}

template <typename T>
void convertFromDeviceType(const Type& type, const QuarterMetadata& metadata, const void* src,
                           ArrayRef<T> dst) {
  convertFromDeviceType(type, metadata, src, const_cast<T*>(dst.data()), TypeTraits::make<T>(),
                        dst.size());
}
template <typename T>
void convertFromDeviceType(const Type& type, const void* src, ArrayRef<T> dst) {
  convertFromDeviceType(type, QuarterMetadata(), src, dst);
}

} // namespace poplar
