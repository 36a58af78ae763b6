#include "train/TimeBlock.hpp"

#include <algorithm>

namespace spillway {
namespace {

// Long enough that a tile's weights, once in the cache, serve many steps; longer gains nothing
// measurable.
constexpr std::uint32_t kCpuBlock = 16;

} // namespace

std::uint32_t timeBlockOf(const Settings& settings) {
  if (settings.machine.timeBlock != 0) {
    return settings.machine.timeBlock;
  }
  const auto& layers = settings.network.layers;
  const bool recurrent = std::any_of(layers.begin(), layers.end(),
                                     [](const LayerSpec& layer) { return layer.recurrent; });
  return settings.machine.device == DeviceKind::Cpu && !recurrent
             ? std::min(kCpuBlock, settings.data.numSteps)
             : 1;
}

} // namespace spillway
