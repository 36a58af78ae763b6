// How the lists of a step are dealt out over the tiles of an IPU. The history is what grows with
// the sequence, so no tile may hold more of it than another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::plan {

// Words [firstWord, firstWord + numWords) of one sample's list, kept on tile `tile` of those that
// hold the history.
struct ListShard {
  std::uint32_t list = 0, sample = 0;
  std::uint32_t firstWord = 0, numWords = 0;
  std::uint32_t tile = 0;
};

// `widths`: words of each list, its header included. In order of lists, samples and words; an even
// number of words at a time, where the list has as many left.
std::vector<ListShard> spreadLists(const std::vector<std::uint32_t>& widths,
                                   std::uint32_t numSamples, std::uint32_t numTiles);

// The tile of each piece, where the pieces of a state are dealt out in order to `numTiles` tiles
// that get about as much each.
std::vector<std::uint32_t> spreadPieces(const std::vector<std::size_t>& sizes,
                                        std::uint32_t numTiles);

} // namespace spillway::plan
