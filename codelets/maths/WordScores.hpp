// What a tile's words say of one step's softmax, for the tiles to agree on its sum. Shared with the
// host.
#pragma once

namespace spillway {

enum WordStatistic : unsigned {
  kLargestScore, // of the tile's words
  kScoreSum,     // of exp(score - largest)
  kLabelScore,   // of the label, where the tile holds it
  kLabelIsFirst, // 1: the label is the first of the tile's words with the largest score
  kWordStatistics
};

constexpr int kNoWord = -1; // a step without a word, or without a label

constexpr unsigned kOutputStream = 0x20000, kWordStream = 0x20001; // of the masks' hash

} // namespace spillway
