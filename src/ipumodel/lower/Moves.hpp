// Copies as merged byte ranges: what a Copy, a gather or a stream transfer comes down to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ipumodel {

// `count` blocks of `blockBytes`, block i from src + i*srcStride to dst + i*dstStride. All in
// bytes, relative to the two memories that the list is run on.
struct Move {
  std::uint64_t src = 0;
  std::uint64_t dst = 0;
  std::uint64_t blockBytes = 0;
  std::uint64_t count = 1;
  std::int64_t srcStride = 0;
  std::int64_t dstStride = 0;

  std::uint64_t bytes() const { return blockBytes * count; }
};

struct MoveList {
  std::vector<Move> moves;
  std::uint64_t bytes = 0;

  bool empty() const { return moves.empty(); }
  // One contiguous range to one contiguous range.
  bool isContiguous() const { return moves.size() == 1 && moves.front().count == 1; }

  // Appends, joining with the last move where the blocks continue it.
  void append(const Move& move);
};

// `count` elements, `strideBytes` apart.
struct Segment {
  std::uint64_t offset = 0; // bytes
  std::uint64_t count = 0;
  std::int64_t strideBytes = 0;
};

// Element i of the sources goes to element i of the destinations.
// REQUIRES: both hold the same number of elements.
MoveList makeMoves(const std::vector<Segment>& sources, const std::vector<Segment>& destinations,
                   std::uint64_t elementBytes);

// Source and destination swapped.
MoveList reversed(const MoveList& list);

} // namespace ipumodel
