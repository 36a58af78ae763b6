// How long a program waited for its remote buffers: what the model can tell and the SDK cannot.
#pragma once

#include <cstdint>

namespace poplar {
class Engine;
}

namespace ipumodel {

// Since the engine was made.
struct TransferStalls {
  std::uint64_t numTransfers = 0;
  std::uint64_t numStalls = 0; // transfers, or room for them, that the program had to wait for
  double seconds = 0.0;        // that it waited, on the host
  // By the account, if there is one: of copies beside the program on IO tiles, the cycles it waited
  // for and those it did not.
  std::uint64_t stalledCycles = 0, hiddenCycles = 0;
};

TransferStalls transferStalls(const poplar::Engine& engine);

} // namespace ipumodel
