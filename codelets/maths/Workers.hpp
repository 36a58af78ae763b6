// How the workers of a MultiVertex share a loop over contiguous elements.
#pragma once

namespace spillway {

struct Slice {
  unsigned long begin, end;
};

// Worker `worker` of `numWorkers` takes its part of 0 .. size-1; parts start at even elements, so
// that 64-bit loads stay aligned.
inline Slice workerSlice(unsigned long size, unsigned worker, unsigned numWorkers) {
  const unsigned long pairs = (size + 1) / 2;
  const unsigned long begin = 2 * (pairs * worker / numWorkers);
  const unsigned long end = 2 * (pairs * (worker + 1) / numWorkers);
  return {begin, end < size ? end : size};
}

} // namespace spillway
