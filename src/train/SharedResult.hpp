// The results of batches that ran on different ranks.
#pragma once

#include "parallel/Ranks.hpp"
#include "train/TrainingSession.hpp"

namespace spillway {

struct SharedResult {
  BatchResult result;
  std::uint64_t numSamples = 0, numDroppedEvents = 0;
};

// A table of results, each set by one rank, which all ranks read once it is shared.
class SharedResults {
public:
  SharedResults(std::size_t numResults, std::size_t numLayers);

  void set(std::size_t index, const SharedResult& result);
  void share(Ranks& ranks); // collective
  std::size_t size() const { return words_.size() / wordsOfOne_; }
  SharedResult operator[](std::size_t index) const;

private:
  std::size_t wordsOfOne_;
  std::vector<std::uint64_t> words_; // sums over ranks, of which one is not 0
};

} // namespace spillway
