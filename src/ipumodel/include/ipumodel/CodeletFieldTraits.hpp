// Reads a field's type: direction, rank, layouts and element type, as CodeletAbi.hpp numbers them.
#ifndef ipumodel_CodeletFieldTraits_hpp
#define ipumodel_CodeletFieldTraits_hpp

#include <poplar/HalfFloat.hpp>
#include <poplar/InOutTypes.hpp>
#include <poplar/QuarterFloat.hpp>

#include <ipumodel/CodeletAbi.hpp>

#include <type_traits>

namespace ipumodel {
namespace glue {
namespace {

enum Direction : std::uint8_t { kInput, kOutput, kInOut, kState };
enum Rank : std::uint8_t { kRankScalar, kRankVector, kRankVectorList };
enum Layout : std::uint8_t {
  kNone,
  kOnePtr,
  kSpan,
  kShortSpan,
  kCompactPtr,
  kScaledPtr32,
  kScaledPtr64,
  kScaledPtr128,
  kDeltaNElements,
  kDeltaN,
  kCompactDeltaN
};

constexpr Layout number(poplar::VectorLayout layout) {
  switch (layout) {
  case poplar::VectorLayout::SPAN:
    return kSpan;
  case poplar::VectorLayout::SHORT_SPAN:
    return kShortSpan;
  case poplar::VectorLayout::ONE_PTR:
    return kOnePtr;
  case poplar::VectorLayout::SCALED_PTR32:
    return kScaledPtr32;
  case poplar::VectorLayout::SCALED_PTR64:
    return kScaledPtr64;
  case poplar::VectorLayout::SCALED_PTR128:
    return kScaledPtr128;
  case poplar::VectorLayout::COMPACT_PTR:
    return kCompactPtr;
  case poplar::VectorLayout::NOT_VECTOR:
    break;
  }
  return kNone;
}

constexpr Layout number(poplar::VectorListLayout layout) {
  switch (layout) {
  case poplar::VectorListLayout::ONE_PTR:
    return kOnePtr;
  case poplar::VectorListLayout::SCALED_PTR32:
    return kScaledPtr32;
  case poplar::VectorListLayout::SCALED_PTR64:
    return kScaledPtr64;
  case poplar::VectorListLayout::SCALED_PTR128:
    return kScaledPtr128;
  case poplar::VectorListLayout::DELTANELEMENTS:
    return kDeltaNElements;
  case poplar::VectorListLayout::DELTAN:
    return kDeltaN;
  case poplar::VectorListLayout::COMPACT_DELTAN:
    return kCompactDeltaN;
  case poplar::VectorListLayout::NOT_VECTOR:
    break;
  }
  return kNone;
}

// 64-bit integers are LONGLONG however the host spells them: int64_t is `long` here.
template <class T>
constexpr abi::Element elementOf() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_enum<U>::value)
    return elementOf<std::underlying_type_t<U>>();
  else if constexpr (std::is_same<U, float>::value)
    return abi::kFloat;
  else if constexpr (std::is_same<U, half>::value)
    return abi::kHalf;
  else if constexpr (std::is_same<U, int>::value)
    return abi::kInt;
  else if constexpr (std::is_same<U, unsigned>::value)
    return abi::kUnsignedInt;
  else if constexpr (std::is_same<U, short>::value)
    return abi::kShort;
  else if constexpr (std::is_same<U, unsigned short>::value)
    return abi::kUnsignedShort;
  else if constexpr (std::is_same<U, char>::value)
    return abi::kChar;
  else if constexpr (std::is_same<U, signed char>::value)
    return abi::kSignedChar;
  else if constexpr (std::is_same<U, unsigned char>::value)
    return abi::kUnsignedChar;
  else if constexpr (std::is_same<U, bool>::value)
    return abi::kBool;
  else if constexpr (std::is_same<U, quarter>::value)
    return abi::kQuarter;
  else if constexpr (std::is_integral<U>::value && sizeof(U) == 8)
    return std::is_signed<U>::value ? abi::kLongLong : abi::kUnsignedLongLong;
  else
    return abi::kUnsupported;
}

// What a field is; the primary template is a scalar of vertex state.
template <class T>
struct Shape {
  static constexpr Direction direction = kState;
  static constexpr Rank rank = kRankScalar;
  static constexpr Layout outer = kNone, inner = kNone;
  static constexpr unsigned minAlign = 1;
  static constexpr bool interleaved = false;
  using Element = T;
};

template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Shape<poplar::Vector<T, L, A, I>> : Shape<void> {
  static constexpr Rank rank = kRankVector;
  static constexpr Layout inner = number(L);
  static constexpr unsigned minAlign = A;
  static constexpr bool interleaved = I;
  using Element = T;
};

template <class T, poplar::VectorListLayout L, unsigned A, bool I>
struct Shape<poplar::VectorList<T, L, A, I>> : Shape<void> {
  static constexpr Rank rank = kRankVectorList;
  static constexpr Layout outer = number(L), inner = kSpan;
  static constexpr unsigned minAlign = A;
  static constexpr bool interleaved = I;
  using Element = T;
};

template <class T>
struct Shape<poplar::Input<T>> : Shape<T> {
  static constexpr Direction direction = kInput;
};
template <class T>
struct Shape<poplar::Output<T>> : Shape<T> {
  static constexpr Direction direction = kOutput;
};
template <class T>
struct Shape<poplar::InOut<T>> : Shape<T> {
  static constexpr Direction direction = kInOut;
};

// A vector of edges.
template <class Edge, poplar::VectorLayout L, bool I>
struct EdgesShape : Shape<Edge> {
  static constexpr Rank rank = kRankVectorList;
  static constexpr Layout outer = number(L);
};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Shape<poplar::Vector<poplar::Input<T>, L, A, I>> : EdgesShape<poplar::Input<T>, L, I> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Shape<poplar::Vector<poplar::Output<T>, L, A, I>> : EdgesShape<poplar::Output<T>, L, I> {};
template <class T, poplar::VectorLayout L, unsigned A, bool I>
struct Shape<poplar::Vector<poplar::InOut<T>, L, A, I>> : EdgesShape<poplar::InOut<T>, L, I> {};

template <class T>
constexpr const char* prettyName() {
  return __PRETTY_FUNCTION__;
}

template <class Declared>
constexpr abi::Field describe(const char* name, std::size_t offset) {
  using S = Shape<std::remove_cv_t<Declared>>;
  return {name,
          prettyName<std::remove_cv_t<typename S::Element>>(),
          S::direction,
          S::rank,
          elementOf<typename S::Element>(),
          S::outer,
          S::inner,
          S::interleaved,
          S::minAlign,
          offset};
}

} // namespace
} // namespace glue
} // namespace ipumodel

#endif
