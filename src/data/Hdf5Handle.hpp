// One open object of the HDF5 library, closed with it.
#pragma once

#include <cstdint>

namespace spillway {

class Hdf5Handle {
public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle();

  std::int64_t id() const { return id_; }
  bool isOpen() const { return id_ >= 0; }

private:
  std::int64_t id_;
  Close close_;
};

} // namespace spillway
