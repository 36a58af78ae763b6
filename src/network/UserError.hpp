// The user's mistake: a setting, file or argument. The message carries the value and the legal
// range. Anything else that is thrown is a bug of ours.
#pragma once

#include <stdexcept>

namespace spillway {

class UserError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace spillway
