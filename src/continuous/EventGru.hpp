// The event-based GRU in continuous time (docs/egru.md, "Continuous time"): its parameters, what is
// put in, and the forward simulation with exact event times.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace spillway::continuous {

enum Gate : std::size_t { kUpdate, kReset, kCandidate, kNumGates };

using Vector = std::vector<double>;
// By gate.
using GateVectors = std::array<Vector, kNumGates>;

struct Model {
  std::size_t numUnits = 0, numInputs = 0;
  double tauSynapse = 0.5, tauMembrane = 1.0; // in the unit of all times
  GateVectors recurrent;                      // [receiving unit][sending unit]
  GateVectors input;                          // [unit][input]
  GateVectors bias;                           // [unit]
  Vector threshold;                           // [unit]; above 0
};

struct InputEvent {
  double time = 0.0;
  std::size_t input = 0;
  double value = 1.0;
};

struct Task {
  double duration = 0.0;
  std::vector<InputEvent> inputs;  // ascending times within (0, duration)
  std::vector<double> outputTimes; // ascending, within (0, duration]
};

struct Integration {
  double step = 2e-3;  // of the fourth-order Runge-Kutta method between events
  double least = 1e-6; // slope of c at a crossing; below it is tangential
  double tie = 1e-9;   // two crossings nearer than this have no order
  std::size_t maxEvents = 100000;
};

// The event times are no differentiable function of the parameters: a tie, a tangential crossing,
// or more than maxEvents events.
class EventError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Activations a_X and membrane c of all units at one time.
struct State {
  GateVectors a;
  Vector c;
};

// What happens at a time between smooth pieces.
struct Breakpoint {
  enum class Kind { Event, Input, Output, End } kind = Kind::End;
  double time = 0.0;
  std::size_t index = 0; // of the unit that fires, the input event, or the output time
  State before, after;   // on either side; equal but for events and inputs
};

struct Trajectory {
  State start;
  std::vector<Breakpoint> breakpoints; // ascending
  std::size_t numEvents = 0;
  std::vector<Vector> outputs; // c at the output times
};

// Throws EventError.
Trajectory simulate(const Model& model, const Task& task, const Integration& integration);

// dc/dt of every unit.
Vector slope(const Model& model, const State& state);
// The state `span` later, without events; the step of the integration divides it into equal parts.
State advance(const Model& model, const State& state, double span, double step);
double sigmoid(double x);

} // namespace spillway::continuous
