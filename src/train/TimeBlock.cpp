#include "train/TimeBlock.hpp"

#include <algorithm>

namespace spillway {
namespace {

// Long enough that a tile's weights, once in the cache, serve many steps; longer gains nothing
// measurable. In a short sequence, where a block's tensors are most of all memory and what its last
// block has no steps for is work for nothing, a twelfth of it does nearly as well.
constexpr std::uint32_t kCpuBlock = 16, kShortCpuBlock = 8, kCpuBlocks = 12;

// A tile takes in less for four light steps than for one backward step, and their share of
// synchronisation and control is then a few per cent.
constexpr std::uint32_t kIpuLightBlock = 4;

} // namespace

std::uint32_t timeBlockOf(const Settings& settings) {
  if (settings.machine.timeBlock != 0) {
    return settings.machine.timeBlock;
  }
  const auto& layers = settings.network.layers;
  const bool recurrent = std::any_of(layers.begin(), layers.end(),
                                     [](const LayerSpec& layer) { return layer.isRecurrent(); });
  return settings.machine.device == DeviceKind::Cpu && !recurrent
             ? std::min(settings.data.numSteps,
                        std::clamp(settings.data.numSteps / kCpuBlocks, kShortCpuBlock, kCpuBlock))
             : 1;
}

std::uint32_t lightBlockOf(const Settings& settings) {
  const std::uint32_t block =
      settings.machine.device == DeviceKind::Cpu ? kCpuBlock : kIpuLightBlock;
  return std::min(settings.data.numSteps, std::max(block, timeBlockOf(settings)));
}

} // namespace spillway
