// Options of planned products and convolutions: their values choose between Graphcore's
// implementations and have hardly any effect here, but those that Graphcore's refuse are refused.
#pragma once

#include <poplar/OptionFlags.hpp>

#include <cstddef>

namespace poplin {

// Throw poplar::invalid_option for a name or a value that is not legal.
void checkMatMulOptions(const poplar::OptionFlags& options);
void checkConvOptions(const poplar::OptionFlags& options);

// Into how many parts of output channels, computed in turn, planConstraints split a convolution.
std::size_t serialOutChanSplit(const poplar::OptionFlags& convOptions);

} // namespace poplin
