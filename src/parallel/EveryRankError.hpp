// A mistake that every rank knows of, so that one of them says it for all.
#pragma once

#include "network/UserError.hpp"

namespace spillway {

class EveryRankError : public UserError {
public:
  explicit EveryRankError(const std::string& message, int exitCode = 2)
      : UserError(message), exitCode_(exitCode) {}

  int exitCode() const { return exitCode_; }

private:
  int exitCode_;
};

} // namespace spillway
