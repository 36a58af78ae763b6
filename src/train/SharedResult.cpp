#include "train/SharedResult.hpp"

#include <bit>

namespace spillway {
namespace {

constexpr std::size_t kFixedWords = 5, kLayerWords = 4;

} // namespace

SharedResults::SharedResults(std::size_t numResults, std::size_t numLayers)
    : wordsOfOne_(kFixedWords + kLayerWords * numLayers), words_(numResults * wordsOfOne_) {}

void SharedResults::set(std::size_t index, const SharedResult& shared) {
  const BatchResult& result = shared.result;
  std::uint64_t* word = &words_[index * wordsOfOne_];
  for (const std::uint64_t value : {std::bit_cast<std::uint64_t>(result.loss), result.numCorrect,
                                    result.numLabels, shared.numSamples, shared.numDroppedEvents}) {
    *word++ = value;
  }
  for (const LayerActivity& layer : result.layers) {
    for (const std::uint64_t count :
         {layer.numSpikes, layer.numGradients, layer.numDropped, layer.numBeyond}) {
      *word++ = count;
    }
  }
}

void SharedResults::share(Ranks& ranks) {
  ranks.sum(words_);
}

SharedResult SharedResults::operator[](std::size_t index) const {
  const auto words = std::span(words_).subspan(index * wordsOfOne_, wordsOfOne_);
  SharedResult shared;
  shared.result.loss = std::bit_cast<double>(words[0]);
  shared.result.numCorrect = words[1];
  shared.result.numLabels = words[2];
  shared.numSamples = words[3];
  shared.numDroppedEvents = words[4];
  for (std::size_t at = kFixedWords; at < words.size(); at += kLayerWords) {
    shared.result.layers.push_back({.numSpikes = words[at],
                                    .numGradients = words[at + 1],
                                    .numDropped = words[at + 2],
                                    .numBeyond = words[at + 3]});
  }
  return shared;
}

} // namespace spillway
