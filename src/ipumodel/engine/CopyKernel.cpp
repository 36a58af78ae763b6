#include "engine/CopyKernel.hpp"

#include "engine/ThreadTeam.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace ipumodel {

namespace {

constexpr std::uint64_t kBytesWorthSharing = 512 * 1024;
constexpr std::uint64_t kPartBytes = 1024 * 1024;
constexpr std::size_t kLongList = 4096;

template <std::size_t Bytes>
void moveBlocks(const std::byte* source, std::byte* destination, std::uint64_t count,
                std::int64_t srcStride, std::int64_t dstStride) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(destination, source, Bytes);
    source += srcStride;
    destination += dstStride;
  }
}

// Blocks [first, last) of a move.
void runBlocks(const Move& move, std::uint64_t first, std::uint64_t last, const std::byte* source,
               std::byte* destination) {
  const std::byte* from = source + move.src + static_cast<std::int64_t>(first) * move.srcStride;
  std::byte* to = destination + move.dst + static_cast<std::int64_t>(first) * move.dstStride;
  const std::uint64_t count = last - first;
  switch (move.blockBytes) {
  case 1:
    return moveBlocks<1>(from, to, count, move.srcStride, move.dstStride);
  case 2:
    return moveBlocks<2>(from, to, count, move.srcStride, move.dstStride);
  case 4:
    return moveBlocks<4>(from, to, count, move.srcStride, move.dstStride);
  case 8:
    return moveBlocks<8>(from, to, count, move.srcStride, move.dstStride);
  case 16:
    return moveBlocks<16>(from, to, count, move.srcStride, move.dstStride);
  default:
    for (std::uint64_t i = 0; i < count; ++i) {
      std::memcpy(to, from, move.blockBytes);
      from += move.srcStride;
      to += move.dstStride;
    }
  }
}

// The part of the list that lies between two positions, counted in bytes of payload.
void runSlice(const MoveList& list, std::uint64_t begin, std::uint64_t end, const std::byte* source,
              std::byte* destination) {
  std::uint64_t position = 0;
  for (const Move& move : list.moves) {
    const std::uint64_t next = position + move.bytes();
    if (next > begin && position < end) {
      if (move.count == 1) {
        const std::uint64_t from = std::max(begin, position) - position;
        const std::uint64_t to = std::min(end, next) - position;
        std::memcpy(destination + move.dst + from, source + move.src + from, to - from);
      } else {
        // A block belongs to the slice in which it begins.
        const auto blockAt = [&](std::uint64_t p) {
          return p <= position
                     ? 0
                     : std::min(move.count, (p - position + move.blockBytes - 1) / move.blockBytes);
        };
        runBlocks(move, blockAt(begin), blockAt(end), source, destination);
      }
    }
    position = next;
  }
}

} // namespace

void runMoves(const MoveList& list, const std::byte* source, std::byte* destination) {
  for (const Move& move : list.moves)
    runBlocks(move, 0, move.count, source, destination);
}

void runMoves(const MoveList& list, const std::byte* source, std::byte* destination,
              ThreadTeam& team) {
  if (list.bytes < kBytesWorthSharing || team.size() == 1)
    return runMoves(list, source, destination);
  // More parts than threads, taken as threads come free, so that a core busy with something else
  // holds up one part only; but few where finding a part in a long list would cost more than that.
  const std::uint64_t numParts =
      list.moves.size() > kLongList ? team.size()
                                    : std::max<std::uint64_t>(team.size(), list.bytes / kPartBytes);
  const auto cut = [&](std::uint64_t part) {
    return part == numParts ? list.bytes : list.bytes / numParts * part / 64 * 64;
  };
  std::atomic<std::uint64_t> next{0};
  auto job = [&](unsigned) {
    for (std::uint64_t part = next++; part < numParts; part = next++)
      runSlice(list, cut(part), cut(part + 1), source, destination);
  };
  team.run(job);
}

} // namespace ipumodel
