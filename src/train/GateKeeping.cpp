#include "train/GateKeeping.hpp"

#include "codelets/maths/Phase.hpp"
#include "train/CpuLayout.hpp"

namespace spillway {

bool gatesAreSmall(const NetworkSpec& network, std::uint64_t batchSteps) {
  std::uint64_t gates = 0, weights = 0, fanIn = network.numInputs;
  for (const LayerSpec& layer : network.layers) {
    gates += kKeptGates * batchSteps * layer.size;
    weights += 2 * kNumGates * (fanIn + layer.size) * layer.size; // and gradients
    fanIn = layer.size;
  }
  return gates <= weights;
}

bool errorsReplaceGates(const NetworkSpec& network, std::uint64_t batchSteps) {
  constexpr std::uint64_t kMostPlaces = 1u << 16;
  return batchSteps <= kMostPlaces && gatesAreSmall(network, batchSteps);
}

bool keepsGates(const Settings& settings) {
  const CheckpointSettings& checkpoint = settings.checkpoint;
  switch (checkpoint.keepGates) {
  case KeepGates::Yes:
    return true;
  case KeepGates::No:
    return false;
  case KeepGates::Auto:
    break;
  }
  return settings.machine.device == DeviceKind::Cpu && checkpoint.memoryBudgetBytes == 0 &&
         canKeepGates(settings.network) &&
         gatesAreSmall(settings.network,
                       std::uint64_t{settings.train.numAtOnce()} * settings.data.numSteps);
}

} // namespace spillway
