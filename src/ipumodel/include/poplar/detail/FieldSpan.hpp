// What Vector, VectorList and their Input, Output and InOut forms are made of: a pointer and a
// number of elements, set by the engine before compute() runs.
#ifndef poplar_detail_FieldSpan_hpp
#define poplar_detail_FieldSpan_hpp

#include <poplar/VectorLayout.hpp>

#include <cstddef>

#ifdef IPUMODEL_CHECK_BOUNDS
// Defined by the glue that popc adds to a codelet file; throws.
extern "C" void ipumodel_bounds_failure(const void* field, std::size_t index, std::size_t size);
#endif

namespace poplar {

template <typename T>
class Input;
template <typename T>
class Output;
template <typename T>
class InOut;

namespace detail {

constexpr bool hasSize(VectorLayout layout) {
  return layout == VectorLayout::SPAN || layout == VectorLayout::SHORT_SPAN;
}

inline void checkIndex(const void* field, std::size_t index, std::size_t size) {
#ifdef IPUMODEL_CHECK_BOUNDS
  if (index >= size)
    ipumodel_bounds_failure(field, index, size);
#else
  (void)field, (void)index, (void)size;
#endif
}

// Elements are T; an element that is itself a vector is a FieldSpan too, 16 bytes apart.
template <typename T>
class SpanStorage {
public:
  T& operator[](std::size_t i) const {
    checkIndex(this, i, size_);
    return data_[i];
  }
  T* begin() const { return data_; }
  T* data() const { return data_; }

protected:
  T* data_;
  std::size_t size_;
};

// A vector of scalar edges: the engine stores pointer and size per edge, the edge needs the
// pointer.
template <typename Edge>
class ScalarEdgeStorage {
public:
  Edge& operator[](std::size_t i) const {
    checkIndex(this, i, size_);
    return data_[i].edge;
  }

protected:
  struct Slot {
    Edge edge;
    std::size_t size;
  };
  Slot* data_;
  std::size_t size_;
};

template <typename T>
struct StorageOf {
  typedef SpanStorage<T> type;
};

template <typename T, bool IsScalarEdge>
struct EdgeStorageOf {
  typedef ScalarEdgeStorage<T> type;
};
template <typename T>
struct EdgeStorageOf<T, false> {
  typedef SpanStorage<T> type;
};

template <typename T>
struct StorageOf<Input<T>> : EdgeStorageOf<Input<T>, sizeof(Input<T>) == sizeof(void*)> {};
template <typename T>
struct StorageOf<Output<T>> : EdgeStorageOf<Output<T>, sizeof(Output<T>) == sizeof(void*)> {};
template <typename T>
struct StorageOf<InOut<T>> : EdgeStorageOf<InOut<T>, sizeof(InOut<T>) == sizeof(void*)> {};

template <typename T, bool Sized>
class FieldSpan : public StorageOf<T>::type {};

template <typename T>
class FieldSpan<T, true> : public StorageOf<T>::type {
public:
  unsigned size() const { return static_cast<unsigned>(this->size_); }
  bool empty() const { return this->size_ == 0; }
  T* end() const { return this->data_ + this->size_; }
};

} // namespace detail
} // namespace poplar

#endif
