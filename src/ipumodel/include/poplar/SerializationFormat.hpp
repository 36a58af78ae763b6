// How a graph is written out.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

enum class SerializationFormat {
  Binary, // CBOR (RFC 8949)
  JSON    // the same document as text
};

} // namespace poplar
