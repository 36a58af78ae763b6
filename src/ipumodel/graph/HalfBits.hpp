// IEEE binary16 as bits, to and from float; rounds to nearest even.
#pragma once

#include <cstdint>

namespace ipumodel {

std::uint16_t halfBits(float value);
float halfToFloat(std::uint16_t half);

} // namespace ipumodel
