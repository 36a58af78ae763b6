// The vector types a vertex field may have: Vector, a sequence of values or of edges, and
// VectorList, a sequence of vectors of different lengths. They stand alone (vertex state) or inside
// Input, Output and InOut.
#ifndef poplar_FieldTypes_hpp
#define poplar_FieldTypes_hpp

#include <poplar/VectorLayout.hpp>
#include <poplar/detail/FieldSpan.hpp>

namespace poplar {

// MinAlign is in bytes. Interleaved asks for storage in interleaved memory.
template <typename T, VectorLayout L = VectorLayout::SPAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class Vector : public detail::FieldSpan<T, detail::hasSize(L)> {};

template <typename T, VectorListLayout L = VectorListLayout::DELTAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class VectorList : public detail::FieldSpan<detail::FieldSpan<T, true>, true> {};

} // namespace poplar

#endif
