// A file or folder that cannot be read or written; the message names it and the system's reason.
#pragma once

#include "network/UserError.hpp"

#include <filesystem>
#include <string>

namespace spillway {

class IoError : public UserError {
public:
  using UserError::UserError;
};

// "cannot WHAT PATH: REASON" with the reason of errno.
[[noreturn]] void throwErrno(const std::string& what, const std::filesystem::path& path);

} // namespace spillway
