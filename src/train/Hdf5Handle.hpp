// HDF5's C handles, closed with their scope. For TensorFile*.cpp only.
#pragma once

#include <hdf5.h>

#include <cstdint>

namespace spillway::hdf5 {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// HDF5 prints its error stack unless told not to; our exceptions carry the message.
class Quiet {
public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

template <class T>
hid_t nativeType(); // the HDF5 type of T in memory
template <>
inline hid_t nativeType<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t nativeType<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t nativeType<std::uint16_t>() {
  return H5T_NATIVE_UINT16;
}
template <>
inline hid_t nativeType<std::uint32_t>() {
  return H5T_NATIVE_UINT32;
}
template <>
inline hid_t nativeType<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
inline hid_t nativeType<std::int32_t>() {
  return H5T_NATIVE_INT32;
}

// A C string of `size` bytes, its end included.
inline Handle stringType(std::size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  return {type, H5Tclose};
}

} // namespace spillway::hdf5
