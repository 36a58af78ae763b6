// The checks of arguments that the makers of schedules share.
#pragma once

#include "network/UserError.hpp"

#include <cstdint>
#include <string>

namespace spillway::plan {

inline void requireAtLeastOne(const char* name, std::uint64_t value) {
  if (value == 0)
    throw UserError(std::string(name) + " is 0; it must be at least 1");
}

} // namespace spillway::plan
