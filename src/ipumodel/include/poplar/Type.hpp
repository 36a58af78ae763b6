// The element types of tensors and vertex fields.
#pragma once

#include <poplar/StringRef.hpp>

namespace poplar {

class Type {
public:
  // A type that no tensor has.
  constexpr Type() : id_(0) {}

  StringRef toString() const;
  std::size_t hash() const { return id_; }
  bool isFloatingPoint() const;
  // Whether values need a scale and format beside them (QUARTER).
  bool requiresMetadata() const;

  friend bool operator==(const Type& a, const Type& b) { return a.id_ == b.id_; }
  friend bool operator!=(const Type& a, const Type& b) { return a.id_ != b.id_; }
  friend bool operator<(const Type& a, const Type& b) { return a.id_ < b.id_; }

  // For the library itself: the position in the list below, from 1; 0 is no type.
  constexpr explicit Type(unsigned char id) : id_(id) {}
  constexpr unsigned char id() const { return id_; }

private:
  unsigned char id_;
};

std::ostream& operator<<(std::ostream& os, const Type& t);

constexpr Type BOOL = Type(1);
constexpr Type CHAR = Type(2);
constexpr Type UNSIGNED_CHAR = Type(3);
constexpr Type SIGNED_CHAR = Type(4);
constexpr Type UNSIGNED_SHORT = Type(5);
constexpr Type SHORT = Type(6);
constexpr Type UNSIGNED_INT = Type(7);
constexpr Type INT = Type(8);
constexpr Type UNSIGNED_LONG = Type(9);
constexpr Type LONG = Type(10);
constexpr Type UNSIGNED_LONGLONG = Type(11);
constexpr Type LONGLONG = Type(12);
constexpr Type QUARTER = Type(13);
constexpr Type HALF = Type(14);
constexpr Type FLOAT = Type(15);
constexpr Type QUARTER_METADATA = Type(16); // format and scale of a QUARTER tensor

class IeeeHalf;

// equivalent_device_type<T>().value is the device type that holds a host T.
template <typename T>
struct equivalent_device_type {};

template <>
struct equivalent_device_type<bool> {
  const Type value = BOOL;
};
template <>
struct equivalent_device_type<char> {
  const Type value = CHAR;
};
template <>
struct equivalent_device_type<unsigned char> {
  const Type value = UNSIGNED_CHAR;
};
template <>
struct equivalent_device_type<signed char> {
  const Type value = SIGNED_CHAR;
};
template <>
struct equivalent_device_type<unsigned short> {
  const Type value = UNSIGNED_SHORT;
};
template <>
struct equivalent_device_type<short> {
  const Type value = SHORT;
};
template <>
struct equivalent_device_type<unsigned int> {
  const Type value = UNSIGNED_INT;
};
template <>
struct equivalent_device_type<int> {
  const Type value = INT;
};
template <>
struct equivalent_device_type<unsigned long> {
  const Type value = UNSIGNED_LONG;
};
template <>
struct equivalent_device_type<long> {
  const Type value = LONG;
};
template <>
struct equivalent_device_type<unsigned long long> {
  const Type value = UNSIGNED_LONGLONG;
};
template <>
struct equivalent_device_type<long long> {
  const Type value = LONGLONG;
};
template <>
struct equivalent_device_type<IeeeHalf> {
  const Type value = HALF;
};
template <>
struct equivalent_device_type<float> {
  const Type value = FLOAT;
};

} // namespace poplar

namespace std {
template <>
struct hash<poplar::Type> {
  size_t operator()(const poplar::Type& t) const { return t.hash(); }
};
} // namespace std
