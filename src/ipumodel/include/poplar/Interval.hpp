// Half-open ranges of indices.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

// [begin, end).
template <typename T>
struct GenericInterval {
  GenericInterval() : begin_(), end_() {}
  GenericInterval(const T& begin, const T& end) : begin_(begin), end_(end) {}

  const T& begin() const { return begin_; }
  const T& end() const { return end_; }
  const T& lower() const { return begin_; }
  const T& upper() const { return end_; }
  std::size_t size() const { return end_ > begin_ ? static_cast<std::size_t>(end_ - begin_) : 0; }

private:
  T begin_;
  T end_;
};

template <typename T>
bool operator==(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return a.begin() == b.begin() && a.end() == b.end();
}
template <typename T>
bool operator!=(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return !(a == b);
}
template <typename T>
bool operator<(const GenericInterval<T>& a, const GenericInterval<T>& b) {
  return a.begin() < b.begin() || (!(b.begin() < a.begin()) && a.end() < b.end());
}
template <typename T>
std::ostream& operator<<(std::ostream& os, const GenericInterval<T>& i) {
  return os << "[" << i.begin() << "," << i.end() << ")";
}

typedef GenericInterval<std::size_t> Interval;

} // namespace poplar
