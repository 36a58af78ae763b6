// What our loops would cost on a tile, in worker instructions; a worker issues one every six
// cycles. Estimated from instruction counts of the C++ loops as popc would emit them with float2,
// not measured.
#pragma once

namespace spillway {

constexpr unsigned kWorkers = 6;
constexpr unsigned kLaunchCycles = 11; // supervisor overhead of a MultiVertex (PopLibs' estimators)

// Load id, form the address, then per pair of neurons: load 64 bits, add; loop control. A row of
// one pair needs no address of its own: a 64-bit load scales its index by eight bytes.
constexpr unsigned long spikeInstructions(unsigned neurons) {
  return (neurons == 2 ? 2 : 5) + 2 * ((neurons + 1) / 2);
}
// Decay, compare, select, multiply-add per pair; load and store of the state.
constexpr unsigned long stepInstructions(unsigned neurons) {
  return 12 + 9 * ((neurons + 1) / 2);
}
// Compare twice, shift into the masks, per neuron.
constexpr unsigned long maskInstructions(unsigned neurons) {
  return 4 + 8 * neurons;
}

constexpr unsigned long tileCycles(unsigned long slowestWorkerInstructions) {
  return kLaunchCycles + kWorkers * slowestWorkerInstructions;
}

// The most that any worker of six gets of `perItem` work on items dealt out in turn.
template <class Work>
inline unsigned long slowestWorker(unsigned numItems, const Work& instructionsOf) {
  unsigned long slowest = 0;
  for (unsigned worker = 0; worker < kWorkers; ++worker) {
    unsigned long instructions = 0;
    for (unsigned item = worker; item < numItems; item += kWorkers) {
      instructions += instructionsOf(item);
    }
    slowest = instructions > slowest ? instructions : slowest;
  }
  return slowest;
}

} // namespace spillway
