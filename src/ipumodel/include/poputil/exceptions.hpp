// What the libraries throw for a misuse of their functions.
#pragma once

#include <stdexcept>
#include <string>

namespace poputil {

struct poplibs_error : std::runtime_error {
  std::string type;
  explicit poplibs_error(const std::string& message)
      : std::runtime_error(message), type("poplibs_error") {}
  explicit poplibs_error(const char* message)
      : std::runtime_error(message), type("poplibs_error") {}
};

} // namespace poputil
