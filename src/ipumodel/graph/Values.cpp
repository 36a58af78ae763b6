#include "graph/Values.hpp"

#include "graph/HalfBits.hpp"
#include "graph/TypeInfo.hpp"

#include <poplar/IeeeHalf.hpp>
#include <poplar/exceptions.hpp>

#include <cstring>
#include <type_traits>

namespace ipumodel {
namespace {

// Calls f with a value of the host type that the traits describe.
template <class F>
void withHostType(const poplar::TypeTraits& traits, F f) {
  if (traits.isFloat) {
    if (traits.size == sizeof(float))
      return f(float{});
    if (traits.size == sizeof(double))
      return f(double{});
    if (traits.size == sizeof(poplar::IeeeHalf))
      return f(poplar::IeeeHalf{});
    return f(static_cast<long double>(0));
  }
  switch (traits.size) {
  case 1:
    return traits.isSigned ? f(std::int8_t{}) : f(std::uint8_t{});
  case 2:
    return traits.isSigned ? f(std::int16_t{}) : f(std::uint16_t{});
  case 4:
    return traits.isSigned ? f(std::int32_t{}) : f(std::uint32_t{});
  case 8:
    return traits.isSigned ? f(std::int64_t{}) : f(std::uint64_t{});
  }
  throw poplar::type_error("a host type of " + std::to_string(traits.size) +
                           " bytes has no device type");
}

// Calls f with a value of the host type that has the device type's bits.
template <class F>
void withDeviceType(poplar::Type type, F f) {
  if (type == poplar::FLOAT)
    return f(float{});
  if (type == poplar::HALF)
    return f(poplar::IeeeHalf{});
  if (type == poplar::BOOL)
    return f(bool{});
  if (!isIntegral(type))
    throw poplar::type_error("values of type " + type.toString() + " cannot be given by the host");
  poplar::TypeTraits traits{sizeOf(type), sizeOf(type), false, isSigned(type)};
  withHostType(traits, f);
}

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, poplar::IeeeHalf>)
    return poplar::IeeeHalf(static_cast<float>(value));
  else if constexpr (std::is_same_v<To, bool>)
    return static_cast<float>(value) != 0;
  else if constexpr (std::is_same_v<From, poplar::IeeeHalf>)
    return static_cast<To>(static_cast<float>(value));
  else
    return static_cast<To>(value);
}

template <class To, class From>
void convertAll(const std::byte* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    const To converted = convert<To>(value);
    std::memcpy(to + i * sizeof(To), &converted, sizeof(To));
  }
}

} // namespace

std::vector<std::byte> toDevice(const void* values, const poplar::TypeTraits& traits,
                                std::size_t count, poplar::Type type) {
  std::vector<std::byte> out(count * sizeOf(type));
  withHostType(traits, [&](auto host) {
    withDeviceType(type, [&](auto device) {
      convertAll<decltype(device), decltype(host)>(static_cast<const std::byte*>(values), count,
                                                   out.data());
    });
  });
  return out;
}

void toHost(const std::byte* bytes, poplar::Type type, std::size_t count, void* values,
            const poplar::TypeTraits& traits) {
  withHostType(traits, [&](auto host) {
    withDeviceType(type, [&](auto device) {
      convertAll<decltype(host), decltype(device)>(bytes, count, static_cast<std::byte*>(values));
    });
  });
}

} // namespace ipumodel
