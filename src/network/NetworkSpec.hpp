// What the network is, without device or data. Equations: docs/numerics.md.
//
// Layer l at step t, with syn the weighted sum of the spikes it receives (layer 0: the input events
// of step t; others: the spikes of layer l-1 at step t-1; a recurrent layer also its own of step
// t-1):
//
//   LIF    u[t] = alpha * reset(u[t-1]) + gain * (syn + bias),      gain = kappa * (1 - alpha)
//          z[t] = u[t] > theta[t]
//   ALIF   theta[t] = theta + beta * a[t],   a[t] = rho * a[t-1] + (1 - rho) * z[t-1]
//
// reset() acts on the stored state, so the state of one step alone determines the next one's start:
// to zero: 0 where z[t-1], else u[t-1]; subtract: u[t-1] - theta[t-1] * z[t-1].
//
// Where a layer's cap drops a spike, reset, adaptation, spike counts and rates still see it (they
// follow from the state); transmission and the gradient do not. All states are 0 and all spikes
// absent before step 0.
#pragma once

#include "network/GatedSpec.hpp"
#include "network/LanguageSpec.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace spillway {

enum class NeuronKind { Lif, Alif };
enum class ResetMode { ToZero, Subtract };

// The derivative of reset() with respect to u, the reset itself being detached: Pass takes 1,
// Gate takes 1 - z.
enum class ResetGradient { Pass, Gate };

enum class SurrogateKind { Superspike, Triangle, Box, Arctan };

// dz/du as a function of x = u - theta[t]; w = width.
//   superspike  scale / (1 + |x|/w)^2       triangle  scale * max(0, 1 - |x|/w)
//   box         scale if |x| < w, else 0     arctan    scale / (1 + (pi x / (2 w))^2)
struct Surrogate {
  SurrogateKind kind = SurrogateKind::Superspike;
  double width = 0.1; // in units of u; superspike's beta is 1/width
  double scale = 1.0; // height at x = 0
};

// Spiking: the neurons above, sending ids. Egru, Gru: gated units, sending (id, value) pairs.
enum class LayerKind { Spiking, Egru, Gru };

struct LayerSpec {
  LayerKind kind = LayerKind::Spiking;
  GatedSpec
      gated; // Egru, Gru; what follows down to beta is the spiking neuron's, but for size, bias
  NeuronKind neuron = NeuronKind::Lif;
  std::uint32_t size = 0;
  bool recurrent = false; // gated units always are
  bool bias = false;
  double alpha = 0.95; // membrane decay per step, 0 <= alpha < 1
  double kappa = 10.0; // input gain
  double theta = 1.0;  // threshold at rest
  // Neurons with u > theta[t] + (gradientTheta - theta) receive a gradient; -inf: all do.
  double gradientTheta = -std::numeric_limits<double>::infinity();
  ResetMode reset = ResetMode::ToZero;
  ResetGradient resetGradient = ResetGradient::Pass;
  Surrogate surrogate;
  double rho = 0.99; // adaptation decay per step (ALIF)
  double beta = 1.0; // adaptation strength (ALIF)
  // Most ids kept per sample and step (spikes first, then the gradient's candidates, each in
  // ascending order; the rest is dropped and counted). 0: the layer's size. Where all receive a
  // gradient only spikes are listed.
  std::uint32_t maxActive = 0;

  bool isGated() const { return kind != LayerKind::Spiking; }
  bool isRecurrent() const { return recurrent || isGated(); }
  // Gated units: the state before the reset, from which events and reset follow.
  std::uint32_t stateFloats() const { return !isGated() && neuron == NeuronKind::Alif ? 2 : 1; }
  double gain() const { return kappa * (1.0 - alpha); }
  // Every neuron receives a gradient at every step: a dense one, not that of a list.
  bool allLearn() const {
    return !isGated() && gradientTheta == -std::numeric_limits<double>::infinity();
  }
};

// SpikeCount: logits are the spike counts of the last layer over all steps (the reduction stays at
// its default). LeakyIntegrator: a non-spiking layer v[t] = alpha * v[t-1] + gain * (W z[t-1] +
// bias), z[t-1] being the last layer's spikes of the step before. TiedSoftmax (gated layers):
// inputs and outputs are words; one matrix embeds them and, transposed, gives every step's logits.
enum class ReadoutKind { SpikeCount, LeakyIntegrator, TiedSoftmax };

// What becomes of v over the T steps before the loss. Max: per output, its gradient goes to the
// first step that attains it. PerStep: every step has logits v[t] and a label of its own.
enum class ReadoutReduction { Mean, Max, Last, PerStep };

struct ReadoutSpec {
  ReadoutKind kind = ReadoutKind::LeakyIntegrator;
  ReadoutReduction reduction = ReadoutReduction::Mean;
  std::uint32_t numOutputs = 0;
  bool bias = true;
  double alpha = 0.9;
  double kappa = 1.0;

  double gain() const { return kappa * (1.0 - alpha); }
};

// CrossEntropy: -log softmax(logits)[label], mean over the labels of the batch that are not
// kNoLabel (samples, or steps and samples). MeanSquared: mean of (logit - target)^2 over samples
// and outputs (and steps). Correct: the first largest logit is the label.
enum class LossKind { CrossEntropy, MeanSquared };

// Hinge on each neuron's mean spikes per step r, sample by sample:
//   lower * max(0, lowerRate - r)^2 + upper * max(0, r - upperRate)^2,
// summed over the neurons of all layers, averaged over all samples of the batch, added to the loss.
// 0 switches a side off.
struct RateRegularisation {
  double lower = 0.0, lowerRate = 0.0;
  double upper = 0.0, upperRate = 1.0;
  bool enabled() const { return lower != 0.0 || upper != 0.0; }
};

struct LossSpec {
  LossKind kind = LossKind::CrossEntropy;
  RateRegularisation rate;
};

struct NetworkSpec {
  std::uint32_t numInputs = 0;      // of layer 0; where it receives embedded words, their width
  std::uint32_t maxInputEvents = 0; // cap per sample and step; 0: numInputs
  std::vector<LayerSpec> layers;    // in order; all spiking or all gated
  ReadoutSpec readout;
  LossSpec loss;
  LanguageSpec language; // TiedSoftmax

  bool readsWords() const { return readout.kind == ReadoutKind::TiedSoftmax; }
  // What the ids of a batch's events are below: inputs, or words.
  std::uint32_t numEventIds() const { return readsWords() ? readout.numOutputs : numInputs; }
  bool isGated() const { return !layers.empty() && layers.front().isGated(); }
};

} // namespace spillway
