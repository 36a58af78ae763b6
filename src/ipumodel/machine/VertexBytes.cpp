#include "machine/VertexBytes.hpp"

namespace ipumodel {
namespace {

constexpr std::uint64_t kPointerBytes = 4;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

} // namespace

// Sizes follow PopLibs' assembly twins of the vertices: a short span packs a 20-bit pointer and a
// 12-bit length into a word, scaled pointers are 16 bits, the delta forms keep a base and one
// packed word per inner vector.
std::uint64_t pointerBytes(PointerLayout layout) {
  switch (layout) {
  case PointerLayout::Span:
  case PointerLayout::DeltaN:
  case PointerLayout::DeltaNElements:
    return 8;
  case PointerLayout::ScaledPtr32:
  case PointerLayout::ScaledPtr64:
  case PointerLayout::ScaledPtr128:
    return 2;
  case PointerLayout::None:
  case PointerLayout::OnePtr:
  case PointerLayout::ShortSpan:
  case PointerLayout::CompactPtr:
  case PointerLayout::CompactDeltaN:
    return kPointerBytes;
  }
  return kPointerBytes;
}

VertexBytes& VertexBytes::operator+=(const VertexBytes& other) {
  instanceState += other.instanceState;
  fieldData += other.fieldData;
  vectorListDescriptor += other.vectorListDescriptor;
  return *this;
}

VertexBytes bytesOf(const VertexType& type, const FieldSize& sizeOf,
                    const std::function<std::size_t(const poplar::Type&)>& elementBytes) {
  VertexBytes result;
  const auto place = [&](std::uint64_t bytes) {
    result.instanceState = roundUp(result.instanceState, bytes < 4 ? bytes : 4) + bytes;
  };
  for (unsigned i = 0; i < type.fields.size(); ++i) {
    const FieldInfo& field = type.fields[i];
    const bool isState = field.direction == FieldDirection::State;
    switch (field.rank) {
    case FieldRank::Scalar:
      place(isState ? elementBytes(field.elementType) : pointerBytes(field.innerLayout));
      break;
    case FieldRank::Vector:
      place(pointerBytes(field.innerLayout));
      if (isState)
        result.fieldData += roundUp(sizeOf(i) * elementBytes(field.elementType), 4);
      break;
    case FieldRank::VectorList: {
      const PointerLayout outer = field.outerLayout;
      place(pointerBytes(outer));
      const bool isDelta = outer == PointerLayout::DeltaN ||
                           outer == PointerLayout::DeltaNElements ||
                           outer == PointerLayout::CompactDeltaN;
      const std::uint64_t inner = isDelta ? 4 : pointerBytes(field.innerLayout);
      result.vectorListDescriptor += roundUp(sizeOf(i) * inner, 4);
      break;
    }
    }
  }
  result.instanceState = roundUp(result.instanceState, 4);
  return result;
}

} // namespace ipumodel
