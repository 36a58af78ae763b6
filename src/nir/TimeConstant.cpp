#include "nir/TimeConstant.hpp"

#include "network/UserError.hpp"

#include <fmt/format.h>

#include <cmath>

namespace spillway::nir {

const char* nameOf(Integration integration) {
  return integration == Integration::Euler ? "euler" : "exact";
}

Integration integrationNamed(const std::string& name) {
  if (name != "euler" && name != "exact") {
    throw UserError("integration " + name + ": must be euler or exact");
  }
  return name == "euler" ? Integration::Euler : Integration::Exact;
}

double timeConstant(double alpha, double dt, Integration integration, const std::string& what) {
  if (integration == Integration::Euler) {
    return dt / (1.0 - alpha);
  }
  if (alpha == 0.0) {
    throw UserError(what + " = 0 has no time constant under exact integration; choose "
                           "--integration euler, or a decay above 0");
  }
  return -dt / std::log(alpha);
}

double decayPerStep(double tau, double dt, Integration integration, const std::string& what) {
  if (!(tau > 0.0) || !std::isfinite(tau)) {
    throw UserError(fmt::format("{} = {}: must be finite and above 0 seconds", what, tau));
  }
  if (integration == Integration::Exact) {
    return std::exp(-dt / tau);
  }
  // A tau of one step, stored as FLOAT, may come back a little shorter.
  const double alpha = 1.0 - dt / tau;
  if (alpha < -1e-6) {
    throw UserError(fmt::format("{} = {:g} s is shorter than a step of {:g} s: give a shorter one "
                                "with --dt, or choose --integration exact",
                                what, tau, dt));
  }
  return std::max(alpha, 0.0);
}

} // namespace spillway::nir
