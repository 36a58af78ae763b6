#include "train/InputLists.hpp"

#include "data/EventFile.hpp"
#include "maths/Lists.hpp"
#include "maths/WordScores.hpp"
#include "network/SettingError.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace spillway {
namespace {

void fillValues(const EventBatch& batch, std::size_t row, std::uint16_t* to) {
  std::vector<float> values(batch.counts[row], 1.0f);
  if (!batch.values.empty()) {
    const float* from = batch.values.data() + row * batch.maxEvents;
    values.assign(from, from + batch.counts[row]);
  }
  std::memcpy(to, values.data(), values.size() * sizeof(float));
}

// Deals the words of rows out to shards.
class Dealer {
public:
  Dealer(const ListShape& shape, std::uint32_t numSamples, std::size_t numSteps, bool asMasks,
         std::vector<std::uint16_t>& lists)
      : row_(shape.width()),
        mask_(asMasks ? shape.packedWords : 0),
        places_(numSamples),
        lists_(lists) {
    std::size_t begin = 0;
    for (const HistoryShard& shard : shape.placement.shards) {
      const std::uint32_t words = asMasks ? shape.packedWords : shard.numWords;
      const std::size_t stride = std::size_t{shard.numSamples} * words;
      for (std::uint32_t i = 0; i < shard.numSamples; ++i) {
        places_[shard.firstSample + i].push_back(
            {begin + std::size_t{i} * words, stride, shard.firstWord, words});
      }
      begin += numSteps * stride;
    }
    lists.resize(begin);
  }

  // Of the sample that is put next.
  std::uint16_t* row() { return row_.data(); }

  // The first numWords words of row().
  void put(std::size_t step, std::uint32_t sample, std::size_t numWords) {
    if (!mask_.empty()) {
      const Place& place = places_[sample].front();
      packRow();
      std::copy(mask_.begin(), mask_.end(), &lists_[place.begin + step * place.stride]);
      return;
    }
    for (const Place& place : places_[sample]) {
      if (place.firstWord < numWords) {
        std::copy_n(&row_[place.firstWord], std::min(place.numWords, numWords - place.firstWord),
                    &lists_[place.begin + step * place.stride]);
      }
    }
  }

private:
  struct Place {
    std::size_t begin, stride; // of the first step, and from step to step
    std::size_t firstWord, numWords;
  };

  void packRow() {
    constexpr unsigned kBits = 16;
    std::fill(mask_.begin(), mask_.end(), std::uint16_t{0});
    mask_[0] = row_[0];
    mask_[1] = row_[1];
    for (unsigned k = 0; k < row_[0]; ++k) {
      const unsigned id = row_[kListHeader + k];
      mask_[kListHeader + id / kBits] |= static_cast<std::uint16_t>(1u << id % kBits);
    }
  }

  std::vector<std::uint16_t> row_, mask_;  // mask_: empty where lists go as they are
  std::vector<std::vector<Place>> places_; // by sample
  std::vector<std::uint16_t>& lists_;
};

void fillFromFile(const EventFile& file, std::uint32_t numSamples, std::size_t begin,
                  std::size_t end, Dealer& dealer) {
  std::vector<std::uint16_t> rows((end - begin) * file.rowWords());
  for (std::uint32_t sample = 0; sample < numSamples; ++sample) {
    file.read(sample, begin, rows);
    for (std::size_t t = 0; t < end - begin; ++t) {
      const std::uint16_t* from = &rows[t * file.rowWords()];
      std::uint16_t* to = dealer.row();
      to[0] = to[1] = from[0];
      std::copy(from + 1, from + 1 + from[0], to + kListHeader);
      dealer.put(t, sample, kListHeader + from[0]);
    }
  }
}

} // namespace

void fillInputLists(const EventBatch& batch, std::size_t begin, std::size_t end,
                    const Geometry& geometry, std::vector<std::uint16_t>& lists) {
  const bool gated = geometry.network.isGated();
  const ListShape& shape = geometry.lists[0];
  Dealer dealer(shape, batch.numSamples, geometry.sequence.historySteps,
                geometry.spillsSpikes() && shape.packedWords != 0, lists);
  if (batch.file) {
    if (gated) {
      throw SettingError("data.batchMemory",
                         "data.batchMemory: gated layers take a batch from memory alone");
    }
    fillFromFile(*batch.file, batch.numSamples, begin, end, dealer);
    return;
  }
  std::uint16_t* to = dealer.row();
  for (std::size_t t = begin; t < end; ++t) {
    for (std::uint32_t sample = 0; sample < batch.numSamples; ++sample) {
      const std::size_t row = t * batch.numSamples + sample;
      const std::uint16_t count = batch.counts[row];
      to[0] = to[1] = count;
      std::copy_n(&batch.ids[row * batch.maxEvents], count, to + kListHeader);
      if (gated) {
        fillValues(batch, row, to + valuesBegin(shape.capacity));
      }
      dealer.put(t - begin, sample, gated ? shape.width() : std::size_t{kListHeader} + count);
    }
  }
}

void fillWords(const EventBatch& batch, std::vector<std::int32_t>& words) {
  words.resize(batch.counts.size());
  for (std::size_t row = 0; row < words.size(); ++row) {
    words[row] = batch.counts[row] == 0 ? kNoWord : batch.ids[row * batch.maxEvents];
  }
}

void requireShape(const EventBatch& batch, const Geometry& geometry) {
  const NetworkSpec& network = geometry.network;
  const std::uint32_t capacity = network.readsWords() ? 1 : geometry.lists[0].capacity;
  if (batch.numSteps != geometry.sequence.numSteps ||
      batch.numSamples != geometry.sequence.numSamples ||
      batch.numInputs != network.numEventIds() || batch.maxEvents > capacity) {
    throw std::logic_error("a batch that does not have the session's shape");
  }
  if ((!network.isGated() || network.readsWords()) && !batch.values.empty()) {
    throw std::logic_error("a batch of events with values, which spiking layers and words have not "
                           "got");
  }
}

} // namespace spillway
