// The vector types a vertex field may have: Vector, a sequence of values or of edges, and
// VectorList, a sequence of vectors of different lengths. They stand alone (vertex state) or inside
// Input, Output and InOut.
#ifndef poplar_FieldTypes_hpp
#define poplar_FieldTypes_hpp

#include <poplar/VectorLayout.hpp>
#include <poplar/detail/FieldSpan.hpp>

struct quarter; // poplar/QuarterFloat.hpp

namespace poplar {
namespace detail {

// A vector of quarters, or of edges of them, has a pointer to their format and scale behind its
// span.
template <typename T>
class WithMetadata {};
template <>
class WithMetadata<quarter> {
public:
  const unsigned char* getMetadata() const { return metadata_; }

private:
  const unsigned char* metadata_;
};

// The edge of a whole vector is the vector, with * and -> that reach its members too.
template <typename Span>
class VectorEdge : public Span {
public:
  const Span& operator*() const { return *this; }
  const Span* operator->() const { return this; }
};

} // namespace detail

// MinAlign is in bytes. Interleaved asks for storage in interleaved memory.
template <typename T, VectorLayout L = VectorLayout::SPAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class Vector : public detail::FieldSpan<T, detail::hasSize(L)> {};

// All edges of a field share one format and scale.
template <VectorLayout M, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<Input<Vector<quarter, M, B, J>>, L, A, I>
    : public detail::FieldSpan<detail::VectorEdge<detail::FieldSpan<quarter, detail::hasSize(M)>>,
                               detail::hasSize(L)>,
      public detail::WithMetadata<quarter> {};
template <VectorLayout M, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<Output<Vector<quarter, M, B, J>>, L, A, I>
    : public detail::FieldSpan<detail::VectorEdge<detail::FieldSpan<quarter, detail::hasSize(M)>>,
                               detail::hasSize(L)>,
      public detail::WithMetadata<quarter> {};
template <VectorLayout M, unsigned B, bool J, VectorLayout L, unsigned A, bool I>
class Vector<InOut<Vector<quarter, M, B, J>>, L, A, I>
    : public detail::FieldSpan<detail::VectorEdge<detail::FieldSpan<quarter, detail::hasSize(M)>>,
                               detail::hasSize(L)>,
      public detail::WithMetadata<quarter> {};

template <typename T, VectorListLayout L = VectorListLayout::DELTAN, unsigned MinAlign = alignof(T),
          bool Interleaved = false>
class VectorList : public detail::FieldSpan<detail::FieldSpan<T, true>, true> {};

} // namespace poplar

#endif
