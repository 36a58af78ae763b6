// Edges of a vertex: Input is read, Output is written, InOut is both. Of a scalar, or of a Vector
// or VectorList, which they make read-only or writeable.
#ifndef poplar_InOutTypes_hpp
#define poplar_InOutTypes_hpp

#include <poplar/FieldTypes.hpp>

namespace poplar {
namespace detail {

// A scalar edge that may be written. Assignment writes the element, also from another edge; copying
// an edge makes a second name for the same element.
template <typename T, typename Derived>
class WriteableScalar {
public:
  T& operator*() const { return *element_; }
  T* operator->() const { return element_; }
  operator T&() const { return *element_; }

  Derived& operator=(const T& value) {
    *element_ = value;
    return self();
  }
  template <typename U>
  Derived& operator+=(const U& value) {
    *element_ += value;
    return self();
  }
  template <typename U>
  Derived& operator-=(const U& value) {
    *element_ -= value;
    return self();
  }
  template <typename U>
  Derived& operator*=(const U& value) {
    *element_ *= value;
    return self();
  }
  template <typename U>
  Derived& operator/=(const U& value) {
    *element_ /= value;
    return self();
  }
  template <typename U>
  Derived& operator%=(const U& value) {
    *element_ %= value;
    return self();
  }
  template <typename U>
  Derived& operator&=(const U& value) {
    *element_ &= value;
    return self();
  }
  template <typename U>
  Derived& operator|=(const U& value) {
    *element_ |= value;
    return self();
  }
  template <typename U>
  Derived& operator^=(const U& value) {
    *element_ ^= value;
    return self();
  }
  template <typename U>
  Derived& operator<<=(const U& value) {
    *element_ <<= value;
    return self();
  }
  template <typename U>
  Derived& operator>>=(const U& value) {
    *element_ >>= value;
    return self();
  }
  Derived& operator++() {
    ++*element_;
    return self();
  }
  Derived& operator--() {
    --*element_;
    return self();
  }
  T operator++(int) { return (*element_)++; }
  T operator--(int) { return (*element_)--; }

protected:
  T* element_;

private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

// As many elements as the source has.
template <typename To, typename From>
void copyElements(To& to, const From& from) {
  for (unsigned i = 0; i < from.size(); ++i)
    to[i] = from[i];
}

} // namespace detail

template <typename T>
class Input {
public:
  T& operator*() const { return *element_; }
  T* operator->() const { return element_; }
  operator T&() const { return *element_; }

private:
  T* element_;
};

template <typename T>
class Output : public detail::WriteableScalar<T, Output<T>> {
public:
  using detail::WriteableScalar<T, Output<T>>::operator=;
  Output() = default;
  Output(const Output&) = default;
  Output& operator=(const Output& other) { return *this = *other; }
};

template <typename T>
class InOut : public detail::WriteableScalar<T, InOut<T>> {
public:
  using detail::WriteableScalar<T, InOut<T>>::operator=;
  InOut() = default;
  InOut(const InOut&) = default;
  InOut& operator=(const InOut& other) { return *this = *other; }
};

template <typename T, VectorLayout L, unsigned A, bool I>
class Input<Vector<T, L, A, I>> : public detail::VectorEdge<Vector<T, L, A, I>>,
                                  public detail::WithMetadata<T> {};
template <typename T, VectorLayout L, unsigned A, bool I>
class Output<Vector<T, L, A, I>> : public detail::VectorEdge<Vector<T, L, A, I>>,
                                   public detail::WithMetadata<T> {
public:
  // Writes the elements of another edge.
  template <typename Span>
  Output& operator=(const detail::VectorEdge<Span>& other) {
    detail::copyElements(*this, other);
    return *this;
  }
};
template <typename T, VectorLayout L, unsigned A, bool I>
class InOut<Vector<T, L, A, I>> : public detail::VectorEdge<Vector<T, L, A, I>>,
                                  public detail::WithMetadata<T> {
public:
  // Writes the elements of another edge.
  template <typename Span>
  InOut& operator=(const detail::VectorEdge<Span>& other) {
    detail::copyElements(*this, other);
    return *this;
  }
};

template <typename T, VectorListLayout L, unsigned A, bool I>
class Input<VectorList<T, L, A, I>>
    : public detail::VectorEdge<detail::FieldSpan<detail::FieldSpan<T, true>, true>>,
      public detail::WithMetadata<T> {};
template <typename T, VectorListLayout L, unsigned A, bool I>
class Output<VectorList<T, L, A, I>>
    : public detail::VectorEdge<detail::FieldSpan<detail::FieldSpan<T, true>, true>>,
      public detail::WithMetadata<T> {};
template <typename T, VectorListLayout L, unsigned A, bool I>
class InOut<VectorList<T, L, A, I>>
    : public detail::VectorEdge<detail::FieldSpan<detail::FieldSpan<T, true>, true>>,
      public detail::WithMetadata<T> {};

} // namespace poplar

#endif
