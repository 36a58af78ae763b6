// One step of the neuron equations (docs/numerics.md) on a row of neurons.
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

// Values are part of the vertex names: keep them equal to spillway::NeuronKind and ResetMode.
enum class NeuronModel { Lif, Alif };
enum class ResetRule { ToZero, Subtract };

template <NeuronModel model>
constexpr unsigned kStateFloats = model == NeuronModel::Alif ? 2 : 1;

struct NeuronConstants {
  float alpha; // membrane decay
  float gain;  // kappa * (1 - alpha)
  float theta; // threshold at rest
  float rho;   // adaptation decay
  float beta;  // adaptation strength
};

template <NeuronModel model, unsigned W>
struct NeuronState {
  Row<W> potential;
  Row<W> adaptation; // Alif only
};

// A state in memory is [state floats][neurons].
template <NeuronModel model, unsigned W>
inline NeuronState<model, W> loadState(const float* from, unsigned neurons) {
  if constexpr (model == NeuronModel::Alif) {
    return {loadRow<W>(from), loadRow<W>(from + neurons)};
  } else {
    return {loadRow<W>(from), Row<W>(0.0f)};
  }
}

template <NeuronModel model, unsigned W>
inline void storeState(const NeuronState<model, W>& state, float* to, unsigned neurons) {
  storeRow<W>(to, state.potential);
  if constexpr (model == NeuronModel::Alif) {
    storeRow<W>(to + neurons, state.adaptation);
  }
}

template <NeuronModel model, unsigned W>
inline Row<W> thresholdOf(const NeuronState<model, W>& state, const NeuronConstants& c) {
  if constexpr (model == NeuronModel::Alif) {
    return c.theta + c.beta * state.adaptation;
  } else {
    return Row<W>(c.theta);
  }
}

// The state after a step whose summed input is `current`. Spikes of the step before follow from the
// state.
template <NeuronModel model, ResetRule reset, unsigned W>
inline void stepNeurons(NeuronState<model, W>& state, Row<W> current, const NeuronConstants& c) {
  const Row<W> threshold = thresholdOf(state, c);
  const RowMask<W> spiked = state.potential > threshold;
  const Row<W> afterReset = reset == ResetRule::ToZero ? Row<W>(0.0f) : state.potential - threshold;
  const Row<W> start = spiked ? afterReset : state.potential;
  state.potential = c.alpha * start + c.gain * current;
  if constexpr (model == NeuronModel::Alif) {
    const Row<W> spikes = spiked ? Row<W>(1.0f) : Row<W>(0.0f);
    state.adaptation = c.rho * state.adaptation + (1.0f - c.rho) * spikes;
  }
}

} // namespace spillway
