// A view of consecutive objects somebody else owns.
#pragma once

#include <poplar/StdIncludes.hpp>

#include <array>

namespace poplar {

template <typename T>
class ArrayRef {
  const T* ptr;
  std::size_t len;

public:
  typedef T value_type;
  typedef const T* const_iterator;
  typedef const_iterator iterator;
  typedef std::reverse_iterator<const_iterator> const_reverse_iterator;

  ArrayRef() : ptr(nullptr), len(0) {}
  ArrayRef(std::nullptr_t) = delete;
  ArrayRef(const T* p, std::size_t n) : ptr(p), len(n) {}
  ArrayRef(const T* first, const T* last)
      : ptr(first), len(static_cast<std::size_t>(last - first)) {}
  template <typename Allocator>
  ArrayRef(const std::vector<T, Allocator>& v) : ptr(v.data()), len(v.size()) {}
  template <std::size_t N>
  ArrayRef(const std::array<T, N>& a) : ptr(a.data()), len(N) {}
  template <std::size_t N>
  ArrayRef(const T (&a)[N]) : ptr(a), len(N) {}
  // Valid only until the end of the full expression, as is the list itself.
  ArrayRef(const std::initializer_list<T>& list) : ptr(nullptr), len(list.size()) {
    ptr = list.begin();
  }

  const T& operator[](std::size_t i) const { return ptr[i]; }
  const_iterator begin() const { return ptr; }
  const_iterator end() const { return ptr + len; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const T& front() const { return ptr[0]; }
  const T& back() const { return ptr[len - 1]; }
  const T* data() const { return ptr; }
  std::size_t size() const { return len; }
  bool empty() const { return len == 0; }
  std::vector<T> cloneAsVector() const { return std::vector<T>(begin(), end()); }
};

#ifdef __cpp_deduction_guides
// ArrayRef{v} of a vector views its elements.
template <typename T, typename Allocator>
ArrayRef(const std::vector<T, Allocator>&) -> ArrayRef<T>;
template <typename T, typename Allocator>
ArrayRef(std::initializer_list<std::vector<T, Allocator>>) -> ArrayRef<T>;
#endif

template <typename T>
bool operator==(const ArrayRef<T>& a, const ArrayRef<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

template <typename T>
bool operator!=(const ArrayRef<T>& a, const ArrayRef<T>& b) {
  return !(a == b);
}

template <typename T>
bool operator<(const ArrayRef<T>& a, const ArrayRef<T>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace poplar
