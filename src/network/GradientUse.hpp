// Which gradients an update takes.
#pragma once

#include <cstddef>

namespace spillway {

enum class GradientUse {
  Own,      // those of the batch that was run last, which the host can read
  Unread,   // the same, but nobody reads them
  OnHost,   // what the host makes of several micro-batches: it reads and writes them as a whole
  OnDevice, // the sum over the micro-batches of all replicas, which the device makes
};

struct GradientSharing {
  GradientUse use = GradientUse::Own;
  std::size_t numMicroBatches = 1; // of an update; OnDevice
};

} // namespace spillway
