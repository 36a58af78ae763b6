#include "lower/Moves.hpp"

#include <algorithm>

namespace ipumodel {

namespace {

// A strided move whose blocks touch on both sides is one block.
Move normalized(Move move) {
  const auto block = static_cast<std::int64_t>(move.blockBytes);
  if (move.count > 1 && move.srcStride == block && move.dstStride == block) {
    move.blockBytes *= move.count;
    move.count = 1;
  }
  if (move.count == 1)
    move.srcStride = move.dstStride = 0;
  return move;
}

std::int64_t distance(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

} // namespace

void MoveList::append(const Move& unmerged) {
  const Move move = normalized(unmerged);
  if (move.bytes() == 0)
    return;
  bytes += move.bytes();
  if (!moves.empty() && move.count == 1) {
    Move& last = moves.back();
    if (last.count == 1 && last.src + last.blockBytes == move.src &&
        last.dst + last.blockBytes == move.dst) {
      last.blockBytes += move.blockBytes;
      return;
    }
    if (last.blockBytes == move.blockBytes) {
      if (last.count == 1) {
        last.count = 2;
        last.srcStride = distance(last.src, move.src);
        last.dstStride = distance(last.dst, move.dst);
        return;
      }
      const auto steps = static_cast<std::int64_t>(last.count);
      if (distance(last.src, move.src) == steps * last.srcStride &&
          distance(last.dst, move.dst) == steps * last.dstStride) {
        ++last.count;
        return;
      }
    }
  }
  moves.push_back(move);
}

MoveList makeMoves(const std::vector<Segment>& sources, const std::vector<Segment>& destinations,
                   std::uint64_t elementBytes) {
  MoveList list;
  auto source = sources.begin();
  auto destination = destinations.begin();
  std::uint64_t sourceDone = 0, destinationDone = 0; // elements of the current segments
  while (source != sources.end() && destination != destinations.end()) {
    const std::uint64_t count =
        std::min(source->count - sourceDone, destination->count - destinationDone);
    if (count) {
      Move move;
      move.src = source->offset + sourceDone * static_cast<std::uint64_t>(source->strideBytes);
      move.dst = destination->offset +
                 destinationDone * static_cast<std::uint64_t>(destination->strideBytes);
      move.blockBytes = elementBytes;
      move.count = count;
      move.srcStride = source->strideBytes;
      move.dstStride = destination->strideBytes;
      list.append(move);
    }
    sourceDone += count;
    destinationDone += count;
    if (sourceDone == source->count) {
      ++source;
      sourceDone = 0;
    }
    if (destinationDone == destination->count) {
      ++destination;
      destinationDone = 0;
    }
  }
  return list;
}

MoveList reversed(const MoveList& list) {
  MoveList result = list;
  for (Move& move : result.moves) {
    std::swap(move.src, move.dst);
    std::swap(move.srcStride, move.dstStride);
  }
  return result;
}

} // namespace ipumodel
