// A sequence of values that are made when they are looked at.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ipumodel {
struct ProfileData;
}

namespace pva {

typedef std::shared_ptr<const ipumodel::ProfileData> Data;

/// T is constructible from (Data, index). A list may outlive the report it came from, and iterators
/// of two lists over the same thing compare equal at the same place.
template <typename T>
class List {
public:
  class const_iterator {
  public:
    typedef std::input_iterator_tag iterator_category;
    typedef T value_type;
    typedef std::ptrdiff_t difference_type;
    typedef const T* pointer;
    typedef const T& reference;

    const_iterator(const Data& data, std::shared_ptr<const std::vector<std::size_t>> ids,
                   std::size_t first, std::size_t at)
        : data_(data), ids_(std::move(ids)), first_(first), at_(at) {}

    reference operator*() const {
      current_ = std::make_shared<T>(data_, ids_ ? (*ids_)[at_] : first_ + at_);
      return *current_;
    }
    pointer operator->() const { return &**this; }
    const_iterator& operator++() {
      ++at_;
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.at_ == b.at_;
    }
    friend bool operator!=(const const_iterator& a, const const_iterator& b) {
      return a.at_ != b.at_;
    }
    friend difference_type operator-(const const_iterator& a, const const_iterator& b) {
      return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
    }

  private:
    Data data_;
    std::shared_ptr<const std::vector<std::size_t>> ids_;
    std::size_t first_, at_;
    mutable std::shared_ptr<T> current_;
  };
  typedef const_iterator iterator;
  typedef T value_type;

  /// Elements first .. first+size-1.
  List(const Data& data, std::size_t first, std::size_t size)
      : data_(data), first_(first), size_(size) {}
  /// The elements of these indices.
  List(const Data& data, std::vector<std::size_t> ids)
      : data_(data),
        ids_(std::make_shared<const std::vector<std::size_t>>(std::move(ids))),
        first_(0),
        size_(ids_->size()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const { return T(data_, ids_ ? (*ids_)[i] : first_ + i); }
  T at(std::size_t i) const {
    if (i >= size_)
      throw std::out_of_range("index " + std::to_string(i) + " of a list of " +
                              std::to_string(size_));
    return (*this)[i];
  }
  T front() const { return at(0); }
  T back() const { return at(size_ - 1); }
  const_iterator begin() const { return const_iterator(data_, ids_, first_, 0); }
  const_iterator end() const { return const_iterator(data_, ids_, first_, size_); }

private:
  Data data_;
  std::shared_ptr<const std::vector<std::size_t>> ids_;
  std::size_t first_, size_;
};

} // namespace pva
