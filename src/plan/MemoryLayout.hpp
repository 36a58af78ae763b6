// How tensors are laid out on the tiles, as far as bytes depend on it. Two presets: ours, and that
// of the implementation the checkpointing paper was measured with.
#pragma once

#include <cstdint>

namespace spillway::plan {

struct MemoryLayout {
  std::uint32_t maxIdBytes = 2;     // ids take 2 bytes where they fit and this allows it, else 4
  std::uint32_t countBytes = 4;     // each of the counts beside a list of ids
  std::uint32_t gradientCopies = 1; // of the weights' shape, the final one included
  // Floats per neuron and sample beside the schedule's slots.
  std::uint32_t workFloats = 0;    // copies of states in work
  std::uint32_t adjointFloats = 1; // per state float: the adjoint and its temporaries
  std::uint32_t flagWords = 0;     // dense spike flags
  // Buffers of the exchange, in lists of ids (and values) of one step.
  std::uint32_t ownListBytes = 0; // the layer's own ids and gradients, per id of maxActive
  bool gradientStaging = true;    // partial input gradients gathered before they are summed
  // Vertex state: fixed, per sample, and per neuron and sample.
  std::uint32_t vertexBytes = 0, vertexBytesPerSample = 0, vertexBytesPerNeuronSample = 0;
  std::uint32_t codeBytes = 0; // code, exchange, stacks: calibrated, not derived

  // One vertex per worker, 16-bit ids, one copy of the gradients; code as the IPU Model measures
  // it.
  static MemoryLayout ours();
  // 32-bit ids, six gradient copies and a seventh for their sum, a vertex for each neuron and
  // sample. The code's 45 kB are a fit to "400 steps fit Base", 25 to 65 being plausible.
  static MemoryLayout paper();
};

inline MemoryLayout MemoryLayout::ours() {
  MemoryLayout layout;
  layout.ownListBytes = 4 + 2;
  layout.vertexBytes = 6 * 10 * 64; // 6 workers, about 10 compute sets, 64 bytes of fields
  layout.codeBytes = 30000;
  return layout;
}

inline MemoryLayout MemoryLayout::paper() {
  MemoryLayout layout;
  layout.maxIdBytes = 4;
  layout.gradientCopies = 7;
  layout.workFloats = 3;
  layout.adjointFloats = 2;
  layout.flagWords = 2;
  layout.ownListBytes = 8;
  layout.vertexBytesPerSample = 50 + 96;
  layout.vertexBytesPerNeuronSample = 24;
  layout.codeBytes = 45000;
  return layout;
}

} // namespace spillway::plan
