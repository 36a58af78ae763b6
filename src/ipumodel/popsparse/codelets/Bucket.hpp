// How a bucket says where its values are. Bucket [rotations][pieces] and then each piece:
// [partition][blocks] and for each block [row][column], counted in blocks from the partition's
// first. The values of all pieces follow one another in a tensor of their own.
#pragma once

#include <cstdint>

namespace popsparse {

// Calls f(row, column, index of the block) for the blocks that belong to `partition`.
template <class Meta, class F>
void forEachBlock(const Meta& meta, unsigned partition, F&& f) {
  const unsigned numPieces = meta[1];
  unsigned at = 2, block = 0;
  for (unsigned piece = 0; piece < numPieces; ++piece) {
    const unsigned owner = meta[at], count = meta[at + 1];
    at += 2;
    if (owner == partition)
      for (unsigned i = 0; i < count; ++i)
        f(unsigned(meta[at + 2 * i]), unsigned(meta[at + 2 * i + 1]), block + i);
    at += 2 * count;
    block += count;
  }
}

template <class Meta>
std::uint64_t countBlocks(const Meta& meta, unsigned partition) {
  const unsigned numPieces = meta[1];
  std::uint64_t blocks = 0;
  for (unsigned piece = 0, at = 2; piece < numPieces; ++piece) {
    if (meta[at] == partition)
      blocks += meta[at + 1];
    at += 2 + 2 * unsigned(meta[at + 1]);
  }
  return blocks;
}

// Tile cycles for a number of blocks against `columns` columns. A single element takes five cycles
// and one for each vector of 64 bits, shared by six workers that issue in turn; a block goes
// through the matrix unit, at the cost of poplin::MatMulBlock.
template <class T>
std::uint64_t cyclesOfBlocks(std::uint64_t blocks, unsigned rows, unsigned inner,
                             unsigned columns) {
  constexpr std::uint64_t kWidth = 8 / sizeof(T);
  if (rows * inner == 1)
    return blocks * (5 + (columns + kWidth - 1) / kWidth);
  constexpr std::uint64_t kInputs = sizeof(T) == 2 ? 16 : 8, kCyclesPerRow = sizeof(T) == 2 ? 4 : 8;
  const std::uint64_t passes = ((inner + kInputs - 1) / kInputs) * ((rows + 15) / 16);
  return blocks * passes * (16 * kInputs * sizeof(T) / 8 + 20 + kCyclesPerRow * columns);
}

} // namespace popsparse
