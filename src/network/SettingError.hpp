// A setting that cannot be used, by the name of its key ("train.batchSize", "layer0.alpha"), so
// that whoever knows where the key was given can say so. The message names the key, its value and
// what is legal.
#pragma once

#include "network/UserError.hpp"

#include <string>
#include <utility>

namespace spillway {

class SettingError : public UserError {
public:
  SettingError(std::string key, const std::string& message)
      : UserError(message), key_(std::move(key)) {}
  const std::string& key() const { return key_; }

private:
  std::string key_;
};

} // namespace spillway
