// Numbered samples, made or read when asked for: what a reader or a synthetic task has to provide.
#pragma once

#include "data/Sample.hpp"

namespace spillway {

class SampleSource {
public:
  virtual ~SampleSource() = default;

  virtual std::uint32_t size() const = 0;

  // A pure function of the index. REQUIRES: index < size().
  // Every event's step is below the number of steps, every id below the number of inputs.
  virtual Sample sample(std::uint32_t index) const = 0;
};

} // namespace spillway
