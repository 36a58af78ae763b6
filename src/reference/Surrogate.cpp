#include "reference/Surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace spillway::reference {

double surrogateDerivative(const Surrogate& surrogate, double x) {
  const double distance = std::abs(x) / surrogate.width;
  switch (surrogate.kind) {
  case SurrogateKind::Superspike:
    return surrogate.scale / ((1.0 + distance) * (1.0 + distance));
  case SurrogateKind::Triangle:
    return surrogate.scale * std::max(0.0, 1.0 - distance);
  case SurrogateKind::Box:
    return distance < 1.0 ? surrogate.scale : 0.0;
  case SurrogateKind::Arctan: {
    const double scaled = 0.5 * std::numbers::pi * distance;
    return surrogate.scale / (1.0 + scaled * scaled);
  }
  }
  throw std::logic_error("unknown surrogate kind");
}

} // namespace spillway::reference
