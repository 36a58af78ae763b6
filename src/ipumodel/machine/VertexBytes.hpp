// Bytes a vertex would take on a tile, from the layouts its codelet asks for. The host copy of a
// vertex is larger (64-bit pointers) and says nothing about the tile.
#pragma once

#include "popc/VertexType.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace ipumodel {

struct VertexBytes {
  std::uint64_t instanceState = 0;        // libpva's vertexInstanceState
  std::uint64_t fieldData = 0;            // vertexFieldData: the elements of state vectors
  std::uint64_t vectorListDescriptor = 0; // the inner pointers of vectors of vectors

  VertexBytes& operator+=(const VertexBytes& other);
};

// Number of elements of a field of that index: of a Vector its elements, of a VectorList its inner
// vectors, of a scalar 1.
using FieldSize = std::function<std::size_t(unsigned field)>;

// `elementBytes` of a type is sizeof on the device, that is poplar::Target::getTypeSize.
VertexBytes bytesOf(const VertexType& type, const FieldSize& sizeOf,
                    const std::function<std::size_t(const poplar::Type&)>& elementBytes);

// Bytes of a pointer with that layout inside the vertex.
std::uint64_t pointerBytes(PointerLayout layout);

} // namespace ipumodel
