// Part of poplar/CycleCount.hpp under its first name.
#pragma once

#include <poplar/CycleCount.hpp>

namespace popsys {

using poplar::cycleCount;

} // namespace popsys
