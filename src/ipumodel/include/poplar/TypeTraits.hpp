// A host type, described at run time.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

class IeeeHalf;

struct TypeTraits {
  std::size_t size;
  std::size_t align;
  bool isFloat;
  bool isSigned;

  bool isSimpleType() const { return size != 0; }

  // Whether values of T can be converted to a device type.
  template <typename T>
  static constexpr bool isSimpleType() {
    return std::is_arithmetic<T>::value || std::is_same<T, IeeeHalf>::value;
  }

  template <typename T>
  static TypeTraits make() {
    static_assert(isSimpleType<T>(), "only arithmetic types have traits");
    TypeTraits traits;
    traits.size = sizeof(T);
    traits.align = alignof(T);
    traits.isFloat = std::is_floating_point<T>::value || std::is_same<T, IeeeHalf>::value;
    traits.isSigned = traits.isFloat || std::is_signed<T>::value;
    return traits;
  }

  template <typename T>
  static constexpr bool requiresMetadata() {
    return false;
  }
};

} // namespace poplar
