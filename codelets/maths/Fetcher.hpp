// Asks for what will be wanted next while something else is at work, a little at a time: it lies in
// a cache that is far away.
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

class Fetcher {
public:
  // Floats [from, end), in so many times.
  Fetcher(const float* from, const float* end, unsigned times)
      : next_(from),
        end_(end),
        some_(static_cast<unsigned>(end - from) / kLine / (times + 1) + 1) {}
  void fetchSome() {
    for (unsigned i = 0; i < some_ && next_ < end_; ++i, next_ += kLine) {
      fetchAhead<kLine>(next_);
    }
  }

private:
  static constexpr unsigned kLine = 16; // floats
  const float *next_, *end_;
  unsigned some_;
};

} // namespace spillway
