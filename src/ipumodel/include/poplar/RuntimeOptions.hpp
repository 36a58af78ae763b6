// Options of one Engine::run.
#pragma once

#include <poplar/OptionFlags.hpp>

namespace poplar {

class RuntimeOptions {
public:
  RuntimeOptions() = default;
  explicit RuntimeOptions(const OptionFlags& flags) : flags_(flags) {}

  const OptionFlags& flags() const { return flags_; }

private:
  OptionFlags flags_;
};

} // namespace poplar
