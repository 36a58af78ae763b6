// Applies a function of floats to each element of a scalar or short vector: what the intrinsics of
// the tile do to half, half2, half4, float, float2 and float4 alike.
#ifndef ipumodel_VectorMap_hpp
#define ipumodel_VectorMap_hpp

#include <ipudef.h>

#include <type_traits>

namespace ipumodel {
namespace intrinsics {

template <class V>
constexpr bool isScalar = std::is_arithmetic<V>::value || std::is_same<V, half>::value;

template <class V, class F>
inline V map(V x, F f) {
  if constexpr (isScalar<V>) {
    return static_cast<V>(f(static_cast<float>(x)));
  } else {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i)
      x[i] = f(static_cast<float>(x[i]));
    return x;
  }
}

template <class V, class F>
inline V map(V x, V y, F f) {
  if constexpr (isScalar<V>) {
    return static_cast<V>(f(static_cast<float>(x), static_cast<float>(y)));
  } else {
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i)
      x[i] = f(static_cast<float>(x[i]), static_cast<float>(y[i]));
    return x;
  }
}

// The vector of integers that a comparison of V gives, or int for a scalar.
template <class V>
struct MaskOf {
  using type = decltype(V() == V());
};
template <>
struct MaskOf<float> {
  using type = int;
};
template <>
struct MaskOf<half> {
  using type = int;
};

// 1 for each element that f holds for, else 0.
template <class V, class F>
inline typename MaskOf<V>::type test(V x, F f) {
  if constexpr (isScalar<V>) {
    return f(static_cast<float>(x)) ? 1 : 0;
  } else {
    typename MaskOf<V>::type result;
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i)
      result[i] = f(static_cast<float>(x[i])) ? 1 : 0;
    return result;
  }
}

// Bitwise operations on the representation of floats.
template <class V, class F>
inline V mapBits(V x, V y, F f) {
  unsigned xBits[sizeof(V) / 4], yBits[sizeof(V) / 4];
  static_assert(sizeof(V) % 4 == 0, "bitwise intrinsics work on words");
  __builtin_memcpy(xBits, &x, sizeof(V));
  __builtin_memcpy(yBits, &y, sizeof(V));
  for (unsigned i = 0; i < sizeof(V) / 4; ++i)
    xBits[i] = f(xBits[i], yBits[i]);
  __builtin_memcpy(&x, xBits, sizeof(V));
  return x;
}

// A comparison's result, of vectors or of scalars, as all bits of V set or none.
template <class V, class M>
inline V maskedBits(M mask) {
  V result;
  if constexpr (isScalar<V>) {
    __builtin_memset(&result, mask ? 0xff : 0, sizeof(V));
  } else {
    static_assert(sizeof(M) == sizeof(V), "a mask has the elements of its vector");
    __builtin_memcpy(&result, &mask, sizeof(V));
  }
  return result;
}

} // namespace intrinsics
} // namespace ipumodel

#endif
