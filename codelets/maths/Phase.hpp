// Shared with the host.
#pragma once

namespace spillway {

// Samples whose products are formed together, each with scratch of its own.
constexpr unsigned kTogether = 4;

// Scratch of a union of their lists (EventUnion.hpp): the ids, each with a value for every sample
// and a mark.
constexpr unsigned kUnionFloats = kTogether + 2; // for each id
constexpr unsigned long unionFloats(unsigned long numIds) {
  return (numIds + 7) / 8 * 8 * kUnionFloats;
}

// What the host tells gated units of a run.
enum PhaseWord : unsigned {
  kTraining,  // 1: masks are drawn; 0: they are replaced by their means
  kMaskKey,   // of the batch
  kContinues, // 1: the sequences go on from where the last run's ended
  kPhaseWords
};

} // namespace spillway
