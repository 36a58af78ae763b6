// The HDF5 library's error stack, inside src/data only.
#pragma once

#include <hdf5.h>

#include <string>

namespace spillway {

// Turns the library's printing of errors off for a scope and hands out its innermost message.
class ErrorStack {
public:
  ErrorStack() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5Eclear2(H5E_DEFAULT);
  }
  ~ErrorStack() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  ErrorStack(const ErrorStack&) = delete;
  ErrorStack& operator=(const ErrorStack&) = delete;

  static std::string message() {
    std::string text;
    const auto keepInnermost = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
      auto& message = *static_cast<std::string*>(out);
      if (message.empty() && error->desc != nullptr) {
        message = error->desc;
      }
      return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &text);
    return text.empty() ? "HDF5 gives no reason" : text;
  }

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

} // namespace spillway
