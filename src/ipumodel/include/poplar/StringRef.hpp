// A view of characters somebody else owns.
#pragma once

#include <poplar/ArrayRef.hpp>

namespace poplar {

struct StringRef : public ArrayRef<char> {
  StringRef() = default;
  StringRef(const StringRef&) = default;
  StringRef& operator=(const StringRef&) = default;
  StringRef(std::nullptr_t) = delete;
  StringRef(const std::string& s) : ArrayRef<char>(s.data(), s.size()) {}
  StringRef(const char* p, std::size_t n) : ArrayRef<char>(p, n) {}
  StringRef(const char* p) : ArrayRef<char>(p, std::strlen(p)) {}

  std::string cloneAsString() const {
    return empty() ? std::string() : std::string(data(), size());
  }
  operator std::string() const { return cloneAsString(); }
};

inline bool operator==(StringRef a, StringRef b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
inline bool operator!=(StringRef a, StringRef b) {
  return !(a == b);
}
inline bool operator<(StringRef a, StringRef b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
inline bool operator>(StringRef a, StringRef b) {
  return b < a;
}
inline bool operator<=(StringRef a, StringRef b) {
  return !(b < a);
}
inline bool operator>=(StringRef a, StringRef b) {
  return !(a < b);
}

inline std::ostream& operator<<(std::ostream& os, const StringRef& s) {
  return os.write(s.data(), static_cast<std::streamsize>(s.size()));
}

inline std::string operator+(StringRef a, StringRef b) {
  std::string sum = a.cloneAsString();
  sum.append(b.begin(), b.end());
  return sum;
}
inline std::string& operator+=(std::string& a, StringRef b) {
  return a.append(b.begin(), b.end());
}

} // namespace poplar
