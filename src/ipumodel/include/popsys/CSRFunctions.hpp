// poplar/CSRFunctions.hpp under its first name.
#pragma once

#include <poplar/CSRFunctions.hpp>

namespace popsys {

using poplar::FloatingPointBehaviour;
using poplar::getAndModifyFloatingPointBehaviour;
using poplar::setFloatingPointBehaviour;
using poplar::setStochasticRounding;

} // namespace popsys
