// The share of each worker of a MultiVertex, and the vector widths that costs are counted in.
#pragma once

#include <cstdint>

namespace popops {

struct WorkerRange {
  unsigned begin, end;
  unsigned size() const { return end - begin; }
};

// Worker `id` of `numWorkers` takes whole grains, as evenly as they go.
inline WorkerRange workerRange(unsigned numElements, unsigned grain, unsigned id,
                               unsigned numWorkers) {
  const unsigned grains = (numElements + grain - 1) / grain;
  const unsigned begin =
      static_cast<unsigned>(static_cast<std::uint64_t>(grains) * id / numWorkers) * grain;
  const unsigned end =
      static_cast<unsigned>(static_cast<std::uint64_t>(grains) * (id + 1) / numWorkers) * grain;
  return {begin < numElements ? begin : numElements, end < numElements ? end : numElements};
}

// Elements in the 64 bits that a worker loads at once.
template <class T>
constexpr unsigned kVectorWidth = sizeof(T) < 8 ? 8 / sizeof(T) : 1;

// Vectors that the busiest of `numWorkers` workers handles.
template <class T>
std::uint64_t vectorsPerWorker(std::uint64_t numElements, unsigned numWorkers) {
  const std::uint64_t perRound = static_cast<std::uint64_t>(kVectorWidth<T>) * numWorkers;
  return (numElements + perRound - 1) / perRound;
}

// Cycles a supervisor spends to start the workers of a MultiVertex and to wait for them (PopLibs,
// basicOpSupervisorOverhead).
constexpr std::uint64_t kLaunchCycles = 11;

} // namespace popops
