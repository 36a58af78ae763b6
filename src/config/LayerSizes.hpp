// The compact form of a stack: "256,256,128", "3x256", "2x512, 128".
#pragma once

#include "network/NetworkSpec.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

std::vector<std::uint32_t> parseLayerSizes(std::string_view text); // throws std::invalid_argument
std::string formatLayerSizes(const NetworkSpec& network);

} // namespace spillway
