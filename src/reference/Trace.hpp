// Everything the forward pass of one sample makes, kept for all steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace spillway::reference {

// The ids a layer keeps at one step: the transmitted spikes, then the silent neurons that receive a
// gradient, each group ascending, together at most the layer's cap.
struct ActiveList {
  std::vector<std::uint32_t> ids;
  std::size_t numSpikes = 0;          // the first numSpikes ids are spikes
  std::vector<std::uint32_t> dropped; // spikes over the cap, ascending
};

struct LayerTrace {
  std::vector<double> u;          // [numSteps][size], before its reset; gated units: c
  std::vector<double> adaptation; // [numSteps][size]; ALIF only
  std::vector<ActiveList> active; // [numSteps]
  std::vector<double> gates; // [numSteps][keep or update, reset, candidate, the recurrent part of
                             // the candidate][size]; gated units only
};

// What a sequence goes on from, where it is not the first of its text: c of every layer, v.
struct CarriedState {
  std::vector<std::vector<double>> layers;
  std::vector<double> readout;
};

struct SampleTrace {
  CarriedState before; // gated units; empty: all 0
  std::vector<LayerTrace> layers;
  std::vector<double> readout; // v, [numSteps][numOutputs]; leaky integrator only
  std::vector<double>
      logits; // [numOutputs], or [numSteps][numOutputs] where every step has its own
  // The least distance of any u from the thresholds it was compared with: where it exceeds the
  // error of another implementation's u, both must agree on every spike.
  double thresholdMargin = std::numeric_limits<double>::infinity();
};

} // namespace spillway::reference
