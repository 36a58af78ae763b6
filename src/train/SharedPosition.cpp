#include "train/SharedPosition.hpp"

#include <array>

namespace spillway {

void shareParameters(Ranks& ranks, const NetworkSpec& network, ParameterSet& set) {
  if (!ranks.isFirst()) {
    set = parameterShapes(network);
  }
  for (ParameterTensor& tensor : set) {
    std::size_t size = 1;
    for (const std::size_t extent : tensor.shape) {
      size *= extent;
    }
    tensor.values.resize(size);
    ranks.broadcast(tensor.values);
  }
}

void sharePosition(Ranks& ranks, const NetworkSpec& network, Snapshot& position) {
  const bool first = ranks.isFirst();
  std::array<std::uint64_t, 7> place{};
  if (first) {
    place = {position.update,
             position.epoch,
             position.batchInEpoch,
             position.optimiser.step,
             position.optimiser.slots.size(),
             position.validation ? 1u : 0u,
             position.test ? 1u : 0u};
  }
  ranks.sum(place);
  position.update = place[0];
  position.epoch = place[1];
  position.batchInEpoch = place[2];
  position.optimiser.step = place[3];
  position.optimiser.slots.resize(place[4]);
  if (!first && place[5] != 0) { // what the means are matters only where records are written
    position.validation.emplace();
  }
  if (!first && place[6] != 0) {
    position.test.emplace();
  }
  shareParameters(ranks, network, position.parameters);
  for (ParameterSet& slot : position.optimiser.slots) {
    shareParameters(ranks, network, slot);
  }
}

} // namespace spillway
