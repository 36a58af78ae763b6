// The pseudo-derivative dz/du.
#pragma once

#include "network/NetworkSpec.hpp"

namespace spillway::reference {

// x = u - theta[t].
double surrogateDerivative(const Surrogate& surrogate, double x);

} // namespace spillway::reference
