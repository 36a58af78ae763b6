// Writes and reads plain data as bytes. A type says once which members it has:
//   template <class A> void archive(A& a, Thing& t) { a(t.x, t.y); }
// and the same function serves both directions.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ipumodel {

class Writer {
public:
  explicit Writer(std::ostream& out) : out_(out) {}

  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }

private:
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&value, sizeof value);
    else
      archive(*this, const_cast<T&>(value)); // archive() takes what it may also have to fill
  }
  void write(const std::string& text) {
    write(std::uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(std::uint64_t{values.size()});
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values)
        write(value);
  }
  template <class A, class B>
  void write(const std::pair<A, B>& pair) {
    write(pair.first);
    write(pair.second);
  }
  void raw(const void* data, std::size_t bytes) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  }

  std::ostream& out_;
};

class Reader {
public:
  explicit Reader(std::istream& in) : in_(in) {}

  // Throws std::runtime_error when the stream ends early.
  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }

private:
  template <class T>
  void read(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&value, sizeof value);
    else
      archive(*this, value);
  }
  void read(std::string& text) {
    text.resize(size());
    raw(text.data(), text.size());
  }
  template <class T>
  void read(std::vector<T>& values) {
    const std::uint64_t count = size();
    values.clear();
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      values.resize(count);
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (std::uint64_t i = 0; i < count; ++i) {
        values.emplace_back();
        read(values.back());
      }
    }
  }
  template <class A, class B>
  void read(std::pair<A, B>& pair) {
    read(pair.first);
    read(pair.second);
  }
  std::uint64_t size() {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 40; // a damaged file, not a larger graph
    std::uint64_t value = 0;
    raw(&value, sizeof value);
    if (value > kLargest)
      throw std::runtime_error("a size of " + std::to_string(value));
    return value;
  }
  void raw(void* data, std::size_t bytes) {
    if (!in_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)))
      throw std::runtime_error("the stream ends early");
  }

  std::istream& in_;
};

} // namespace ipumodel
