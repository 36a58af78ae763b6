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
// Of gathering a list's rows, for each spike and besides. A loop over pairs is written so that it
// repeats in hardware, two bundles an id (Gather.hpp): a worker's bundle has a load or an integer
// operation and, beside it, one in floating point. Besides: the length cut to what hardware
// repeats, the repeat, and the first id, its row and the last addition outside.
constexpr unsigned long gatherInstructions(unsigned neurons) {
  return neurons == 2 ? 2 : spikeInstructions(neurons);
}
constexpr unsigned long gatherListInstructions(unsigned neurons) {
  return neurons == 2 ? 6 : 0;
}
// A spike's with the id compared (and a branch on it), the row stored, and a second end of the
// loop.
constexpr unsigned long addRowInstructions(unsigned neurons) {
  return spikeInstructions(neurons) + 4;
}
// Copies of a gradient into the first of them, per pair: two loads, an addition, a store.
constexpr unsigned long addCopiesInstructions(unsigned long size, unsigned long biasSize,
                                              unsigned long copies) {
  return (copies - 1) * (12 + 4 * ((size / kWorkers + biasSize) / 2 + 1));
}
// A binary search: load, compare, branch, select, halve.
constexpr unsigned long searchInstructions(unsigned long count) {
  unsigned long probes = 0;
  for (; count != 0; count /= 2) {
    ++probes;
  }
  return 6 * probes;
}
// Decay, compare, select, multiply-add per pair; load and store of the state.
constexpr unsigned long stepInstructions(unsigned neurons) {
  return 12 + 9 * ((neurons + 1) / 2);
}
// Of a gated unit's event: load id and value, form the address, then per pair of columns: load 64
// bits, multiply-add.
constexpr unsigned long eventInstructions(unsigned columns) {
  return 6 + 2 * ((columns + 1) / 2);
}
// Three gates: an exponential of about 14 instructions a pair and a division, then the state.
constexpr unsigned long gateInstructions(unsigned neurons) {
  return 20 + 70 * ((neurons + 1) / 2);
}
// Compare twice, shift into the masks, per neuron.
constexpr unsigned long maskInstructions(unsigned neurons) {
  return 4 + 8 * neurons;
}

// The worker with most of `active` entries, dealt out in pairs, sums them over `tiles`: it finds
// a tile's vector and, for up to four pairs at once, loads and adds.
constexpr unsigned long sumPartialsInstructions(unsigned long active, unsigned long tiles) {
  const unsigned long pairs = (active + 2 * kWorkers - 1) / (2 * kWorkers);
  const unsigned long visits = pairs / 4 + pairs % 4 / 2 + pairs % 2;
  return 10 + tiles * (4 * visits + 2 * pairs);
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
