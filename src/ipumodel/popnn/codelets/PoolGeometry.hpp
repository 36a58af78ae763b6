// Which part of a pooled field a vertex has: three dimensions, or for fields with more of them
// eight, of which the unused ones are 1 long.
#pragma once

namespace popnn {

constexpr unsigned kFewPoolDims = 3;
constexpr unsigned kManyPoolDims = 8;

// The field of the vertex: for each dimension the numbers below, one after the other.
constexpr unsigned kPoolNumbersPerDim = 8;

struct PoolDim {
  int field;   // elements of the whole input along this dimension
  int inBegin; // the slice of the input that the vertex reads or writes
  int inSize;
  int outBegin; // the slice of the output
  int outSize;
  int kernel;
  int stride;
  int padding; // lower

  int windowBegin(int out) const { return out * stride - padding; }
  // Windows that contain an input element: [first, last], within the slice of the output.
  int firstWindow(int in) const {
    const int ahead = in + padding - kernel + 1;
    const int first = ahead <= 0 ? 0 : (ahead + stride - 1) / stride;
    return first < outBegin ? outBegin : first;
  }
  int lastWindow(int in) const {
    const int behind = in + padding;
    const int last = behind < 0 ? -1 : behind / stride;
    return last < outBegin + outSize ? last : outBegin + outSize - 1;
  }
};

} // namespace popnn
