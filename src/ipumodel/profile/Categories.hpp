// The memory categories of a profile, by the names libpva gives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ipumodel {

enum class Category : std::uint8_t {
  Variable,
  Constant,
  VertexInstanceState,
  VertexFieldData,
  VectorListDescriptor,
  VertexCode,
  CopyDescriptor,
  ControlCode,
  InternalExchangeCode,
  HostExchangeCode,
  HostExchangePacketHeader,
  GlobalExchangeCode,
  GlobalExchangePacketHeader,
  InstrumentationResults,
  Stack,
  Message,
  Rearrangement
};

inline constexpr std::size_t kNumCategories = 17;

inline constexpr std::array<std::string_view, kNumCategories> kCategoryNames = {
    "variable",
    "constant",
    "vertexInstanceState",
    "vertexFieldData",
    "vectorListDescriptor",
    "vertexCode",
    "copyDescriptor",
    "controlCode",
    "internalExchangeCode",
    "hostExchangeCode",
    "hostExchangePacketHeader",
    "globalExchangeCode",
    "globalExchangePacketHeader",
    "instrumentationResults",
    "stack",
    "message",
    "rearrangement"};

// Bytes by category.
class CategoryBytes {
public:
  std::uint64_t& operator[](Category c) { return bytes_[static_cast<std::size_t>(c)]; }
  std::uint64_t operator[](Category c) const { return bytes_[static_cast<std::size_t>(c)]; }

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t b : bytes_)
      sum += b;
    return sum;
  }

  CategoryBytes& operator+=(const CategoryBytes& other) {
    for (std::size_t i = 0; i < kNumCategories; ++i)
      bytes_[i] += other.bytes_[i];
    return *this;
  }

  friend bool operator==(const CategoryBytes&, const CategoryBytes&) = default;

private:
  std::array<std::uint64_t, kNumCategories> bytes_{};
};

} // namespace ipumodel
