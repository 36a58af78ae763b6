// Parameters of one pass from those of another.
#pragma once

#include <poplin/ConvParams.hpp>

namespace poplin {

/// Of the convolution of the output's gradient with the transposed and flipped weights that gives
/// the input's gradient. REQUIRES: neither operand is flipped.
ConvParams getGradientParams(const ConvParams& params);

} // namespace poplin
