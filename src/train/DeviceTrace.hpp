// What the forward pass of one batch made on the device, step by step, for checking it.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway {

struct DeviceLayerTrace {
  std::vector<float> u;          // [steps][samples][size], before the reset
  std::vector<float> adaptation; // the same; ALIF only
  std::vector<std::uint8_t>
      spikes; // the same, 0 or 1: transmitted, that is, less what the cap drops
  std::vector<std::uint8_t> active; // the same: receives a gradient through its spike
};

struct DeviceTrace {
  std::vector<DeviceLayerTrace> layers;
  std::vector<float> readout; // [steps][samples][outputs]; leaky integrators only
};

} // namespace spillway
