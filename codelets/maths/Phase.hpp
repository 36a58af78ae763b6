// Shared with the host.
#pragma once

namespace spillway {

// Samples whose products a worker forms together: on a host, where it has the tile to itself, as
// many as share what passes through its caches; and those whose lists are united (EventUnion.hpp).
constexpr unsigned kMostTogether = 32;
constexpr unsigned kUnited = 8;
constexpr unsigned samplesTogether(unsigned numWorkers, unsigned numSamples) {
  return numWorkers > 1 ? 1 : (numSamples < kMostTogether ? numSamples : kMostTogether);
}

// Scratch of a union: the ids, each with a value for every sample and a mark.
constexpr unsigned kUnionFloats = kUnited + 2; // for each id
constexpr unsigned long unionFloats(unsigned long numIds) {
  return (numIds + 7) / 8 * 8 * kUnionFloats;
}

// Floats of a gated unit that are kept of a step, where its gates are; and those from a sample's
// gates to the next one's. Rows whose places differ by large powers of two would push each other
// out of the caches.
constexpr unsigned kKeptGates = 4;
constexpr unsigned long keptStride(unsigned long neurons) {
  return kKeptGates * neurons + (neurons % 64 == 0 ? 16 : 0);
}

// What the host tells gated units of a run.
enum PhaseWord : unsigned {
  kTraining,  // 1: masks are drawn; 0: they are replaced by their means
  kMaskKey,   // of the batch
  kContinues, // 1: the sequences go on from where the last run's ended
  kPhaseWords
};

} // namespace spillway
