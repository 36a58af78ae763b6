// A file or folder that cannot be read or written; the message names it and the reason. Content
// that can be read but not used is another UserError.
#pragma once

#include "network/UserError.hpp"

namespace spillway {

class IoError : public UserError {
public:
  using UserError::UserError;
};

} // namespace spillway
