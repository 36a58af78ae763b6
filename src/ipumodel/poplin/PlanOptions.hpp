// Options of planned products and convolutions: their values choose between Graphcore's
// implementations and have no effect here, but those that Graphcore's refuse are refused.
#pragma once

#include <poplar/OptionFlags.hpp>

namespace poplin {

// Throw poplar::invalid_option for a name or a value that is not legal.
void checkMatMulOptions(const poplar::OptionFlags& options);
void checkConvOptions(const poplar::OptionFlags& options);

} // namespace poplin
