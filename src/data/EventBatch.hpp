// One batch as the device takes it: lists of active input ids per step and sample.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace spillway {

class EventFile;

// What samples of a gated network go on from, where that comes with the batch.
struct CarriedStates {
  std::vector<std::vector<float>> layers; // c of each layer, [numSamples][size]
  std::vector<float> readout;             // v of a leaky integrator, [numSamples][numOutputs]
  bool empty() const { return layers.empty(); }
};

// Row (t, b) holds counts[t*numSamples + b] ids, ascending and distinct, from
// ids[(t*numSamples + b) * maxEvents]; the rest of the row is 0.
struct EventBatch {
  std::uint32_t numSteps = 0;
  std::uint32_t numSamples = 0;
  std::uint32_t numInputs = 0;
  std::uint32_t maxEvents = 0;           // capacity of a row
  std::uint64_t numDroppedEvents = 0;    // over the capacity
  std::vector<std::uint16_t> ids;        // [numSteps][numSamples][maxEvents]
  std::vector<float> values;             // as ids, for gated layers; empty: every event is 1
  std::vector<std::uint16_t> counts;     // [numSteps][numSamples]
  std::shared_ptr<const EventFile> file; // of a batch too long for memory: the rows; ids and counts
                                         // are then empty

  // One class per sample, or (per-step labels) numSteps*numSamples classes in step-major order,
  // where kNoLabel marks a step without loss. Empty when targets are used.
  static constexpr std::int32_t kNoLabel = -1;
  std::vector<std::int32_t> labels;
  // Mean-squared error: [numSamples][numOutputs], or [numSteps][numSamples][numOutputs] per step.
  std::vector<float> targets;

  // Names the random masks of gated layers: equal keys draw equal masks.
  std::uint32_t maskKey = 0;
  // The samples of a gated network go on from where those of the batch before ended.
  bool continues = false;
  CarriedStates carried; // else, where it is not empty, from here

  // The last samples that only fill the batch up: results of an evaluation leave them out.
  std::uint32_t numFillers = 0;
};

} // namespace spillway
