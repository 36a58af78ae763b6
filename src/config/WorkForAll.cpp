#include "config/WorkForAll.hpp"

#include <fmt/format.h>

namespace spillway {

std::string lackOfWork(const Settings& settings, std::uint32_t numRanks) {
  const std::uint32_t numMicro = settings.train.numMicroBatches();
  const std::uint32_t numReplicas = settings.machine.numReplicas;
  const std::uint64_t numNeeded = std::uint64_t{numRanks} * numReplicas;
  if (numMicro >= numNeeded) {
    return "";
  }
  const std::string who =
      numReplicas == 1 ? fmt::format("{} ranks", numRanks)
      : numRanks == 1  ? fmt::format("machine.replicas = {}", numReplicas)
                       : fmt::format("{} ranks with {} replicas each", numRanks, numReplicas);
  const std::uint32_t batchSize = settings.train.batchSize;
  const std::string advice =
      batchSize < numNeeded
          ? fmt::format("train.batchSize = {} must be {} or more, and train.microBatch divide it",
                        batchSize, numNeeded)
          : fmt::format("train.microBatch must divide train.batchSize = {} and be 1 to {}",
                        batchSize, batchSize / numNeeded);
  return fmt::format("{}, but a batch of {} micro-batch{}: {}", who, numMicro,
                     numMicro == 1 ? "" : "es", advice);
}

} // namespace spillway
