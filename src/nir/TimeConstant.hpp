// Between a decay per step and a time constant.
#pragma once

#include <string>

namespace spillway::nir {

// How a simulator turns tau dv/dt = -v + r I into steps of length dt:
//   Euler  v += dt/tau (r I - v)                    alpha = 1 - dt/tau
//   Exact  the solution for I constant over a step  alpha = exp(-dt/tau)
// Both give v[t] = alpha v[t-1] + (1 - alpha) r I, so r is our kappa under either.
enum class Integration { Euler, Exact };

const char* nameOf(Integration integration);
Integration integrationNamed(const std::string& name); // throws UserError

// In seconds, as dt. `what` names the decay in errors. REQUIRES: 0 <= alpha < 1, dt > 0.
// Throws UserError where there is none (Exact and alpha = 0).
double timeConstant(double alpha, double dt, Integration integration, const std::string& what);

// The inverse. Throws UserError where the step is too long for the time constant, or tau is not a
// positive number.
double decayPerStep(double tau, double dt, Integration integration, const std::string& what);

} // namespace spillway::nir
