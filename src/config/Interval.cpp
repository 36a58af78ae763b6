#include "config/Key.hpp"

#include <cmath>

namespace spillway {

std::string Interval::text() const {
  const std::string low = formatReal(lowest), high = formatReal(highest);
  if (std::isinf(lowest) && std::isinf(highest)) {
    return "any number";
  }
  if (std::isinf(highest)) {
    return (openLow ? "above " : "at least ") + low;
  }
  if (std::isinf(lowest)) {
    return (openHigh ? "below " : "at most ") + high;
  }
  return (openLow ? "above " : "") + low + (openHigh ? " to below " : " to ") + high;
}

} // namespace spillway
