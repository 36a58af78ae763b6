#include "parallel/SharedSum.hpp"

#include <algorithm>
#include <utility>

namespace spillway {
namespace {

std::vector<float> take(std::vector<std::vector<float>>& pool, std::size_t size) {
  std::vector<float> values;
  if (!pool.empty()) {
    values = std::move(pool.back());
    pool.pop_back();
  }
  values.resize(size);
  return values;
}

} // namespace

SharedSum::SharedSum(Ranks& ranks, std::size_t numLeaves)
    : ranks_(ranks),
      numLeaves_(numLeaves),
      mine_(leavesOf(ranks.rank(), ranks.size(), numLeaves)),
      local_(numLeaves),
      slice_(numLeaves) {
  for (unsigned r = 0; r < ranks.size(); ++r) {
    std::vector<PartialSum>& sums = sumsOfRanks_.emplace_back();
    for (const LeafRange& sum : plan::holdingOf(r, ranks.size(), numLeaves).sums) {
      sums.push_back({sum.begin, sum.end, {}});
    }
  }
}

std::vector<float> SharedSum::buffer(std::size_t size) {
  return take(spare_, size);
}

void SharedSum::add(std::size_t leaf, std::vector<float> values) {
  local_.add({leaf, leaf + 1, std::move(values)}, spare_);
}

const std::vector<float>& SharedSum::finish() {
  std::vector<PartialSum> sums = std::move(local_.sums());
  local_ = TreeSum(numLeaves_);
  if (ranks_.size() == 1) {
    spare_.push_back(std::exchange(total_, std::move(sums.front().values)));
    return total_;
  }
  total_.resize(sums.front().values.size());
  std::vector<std::size_t> ends; // of the ranks' slices
  for (unsigned r = 0; r < ranks_.size(); ++r) {
    ends.push_back(total_.size() * (r + 1) / ranks_.size());
  }
  receive(sums, ends);
  std::vector<float>& part = slice_.sums().front().values;
  std::copy_backward(part.begin(), part.end(),
                     total_.begin() + static_cast<std::ptrdiff_t>(ends[ranks_.rank()]));
  spareParts_.push_back(std::move(part));
  for (PartialSum& sum : sums) {
    spare_.push_back(std::move(sum.values));
  }
  ranks_.gather(total_, ends);
  return total_;
}

// One exchange for the first sum of every rank, one for the second, and so on.
void SharedSum::receive(const std::vector<PartialSum>& sums, const std::vector<std::size_t>& ends) {
  const unsigned rank = ranks_.rank();
  const std::size_t part = ends[rank] - (rank == 0 ? 0 : ends[rank - 1]);
  std::vector<std::vector<PartialSum>> received = sumsOfRanks_;
  std::size_t rounds = 0;
  for (const std::vector<PartialSum>& ofRank : received) {
    rounds = std::max(rounds, ofRank.size());
  }
  theirs_.resize(part * ranks_.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<bool> gives;
    for (const std::vector<PartialSum>& ofRank : received) {
      gives.push_back(round < ofRank.size());
    }
    const bool give = round < sums.size();
    ranks_.exchange(give ? std::span<const float>(sums[round].values) : std::span<const float>{},
                    ends, gives, theirs_);
    auto from = theirs_.begin();
    for (std::vector<PartialSum>& ofRank : received) {
      if (round < ofRank.size()) {
        const auto to = from + static_cast<std::ptrdiff_t>(part);
        ofRank[round].values = take(spareParts_, part);
        std::copy(from, to, ofRank[round].values.begin());
        from = to;
      }
    }
  }
  slice_ = TreeSum(numLeaves_);
  for (std::vector<PartialSum>& ofRank : received) {
    for (PartialSum& sum : ofRank) {
      slice_.add(std::move(sum), spareParts_);
    }
  }
}

} // namespace spillway
