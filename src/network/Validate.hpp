// Whether a NetworkSpec is one that every part of Spillway can run.
#pragma once

#include "network/NetworkSpec.hpp"

namespace spillway {

// Ids travel as 16 bits, and so do their counts.
inline constexpr std::uint32_t kMaxIds = 65535;

// Throws UserError naming the first setting outside its legal range, with its value and the range.
void validate(const NetworkSpec& network);

} // namespace spillway
