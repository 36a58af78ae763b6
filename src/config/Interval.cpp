#include "config/Key.hpp"

#include <cmath>

namespace spillway {

bool Interval::contains(double value) const {
  if (std::isinf(value)) {
    return minusInfinity && value < 0.0;
  }
  const double held = static_cast<double>(static_cast<float>(value)); // on the device
  return std::isfinite(held) && (openLow ? value > lowest && held > lowest : value >= lowest) &&
         (openHigh ? value < highest : value <= highest);
}

std::string Interval::text() const {
  const std::string low = formatReal(lowest), high = formatReal(highest);
  if (std::isinf(lowest) && std::isinf(highest)) {
    return minusInfinity ? "any number, or -inf" : "any number";
  }
  if (std::isinf(highest)) {
    return (openLow ? "above " : "at least ") + low;
  }
  if (std::isinf(lowest)) {
    return (openHigh ? "below " : "at most ") + high;
  }
  return (openLow ? "above " : "") + low + (openHigh ? " to below " : " to ") + high;
}

double parseReal(std::string_view text, const Interval& interval) {
  double value = std::numeric_limits<double>::quiet_NaN();
  try {
    value = parseReal(text);
  } catch (const std::invalid_argument&) {
    // refused below, with the range
  }
  if (interval.contains(value)) {
    return value;
  }
  const bool isHeld =
      !std::isfinite(value) || value == 0.0 || std::isnormal(static_cast<float>(value));
  throw std::invalid_argument(
      (isHeld ? "must be a finite number, " : "must be a number that single precision holds, ") +
      interval.text());
}

} // namespace spillway
