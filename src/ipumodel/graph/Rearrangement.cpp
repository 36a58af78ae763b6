#include "graph/Rearrangement.hpp"

#include <poplar/TensorRearranger.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace ipumodel {

using poplar::Interval;

void Rearrangement::add(const Interval& interval) {
  if (!source.empty() && source.back().end() == interval.begin())
    source.back() = Interval(source.back().begin(), interval.end());
  else
    source.push_back(interval);
}

Rearrangement Rearrangement::inverse() const {
  struct Piece {
    std::size_t from, to, count; // from: in the original
  };
  std::vector<Piece> pieces;
  std::size_t at = 0;
  for (const Interval& i : source) {
    pieces.push_back({i.begin(), at, i.size()});
    at += i.size();
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.from < b.from; });
  Rearrangement out;
  out.numElements = numElements;
  for (const Piece& p : pieces)
    out.add(Interval(p.to, p.to + p.count));
  return out;
}

std::vector<Interval> Rearrangement::map(const std::vector<Interval>& intervals) const {
  // Ranges of the inverse, in the original's order, tell where each element went.
  const Rearrangement back = inverse();
  std::vector<std::size_t> starts; // in the original
  std::size_t at = 0;
  for (const Interval& i : back.source) {
    starts.push_back(at);
    at += i.size();
  }
  std::vector<Interval> out;
  for (const Interval& interval : intervals) {
    auto piece = static_cast<std::size_t>(
        std::upper_bound(starts.begin(), starts.end(), interval.begin()) - starts.begin());
    piece = piece == 0 ? 0 : piece - 1;
    for (; piece < starts.size() && starts[piece] < interval.end(); ++piece) {
      const std::size_t first = std::max(starts[piece], interval.begin());
      const std::size_t last = std::min(starts[piece] + back.source[piece].size(), interval.end());
      if (first >= last)
        continue;
      const std::size_t target = back.source[piece].begin() + first - starts[piece];
      out.emplace_back(target, target + last - first);
    }
  }
  std::sort(out.begin(), out.end());
  std::vector<Interval> merged;
  for (const Interval& i : out) {
    if (!merged.empty() && merged.back().end() == i.begin())
      merged.back() = Interval(merged.back().begin(), i.end());
    else
      merged.push_back(i);
  }
  return merged;
}

} // namespace ipumodel

namespace poplar {
namespace {

Tensor permuted(const ipumodel::Rearrangement& rearrangement, const Tensor& t) {
  if (t.numElements() != rearrangement.numElements)
    throw poplar_error("rearranger of " + std::to_string(rearrangement.numElements) +
                       " elements applied to tensor " + t.getDebugStr());
  const Tensor flat = t.flatten();
  return rearrangement.source.empty() ? flat : concat(flat.slices(rearrangement.source));
}

const ipumodel::Rearrangement&
requireValid(const std::shared_ptr<const ipumodel::Rearrangement>& data) {
  if (!data)
    throw poplar_error("an invalid TensorRearranger was used");
  return *data;
}

} // namespace

TensorRearranger::TensorRearranger(std::shared_ptr<const ipumodel::Rearrangement> data)
    : data_(std::move(data)) {}

Tensor TensorRearranger::rearrange(const Tensor& t) const {
  return permuted(requireValid(data_), t);
}
Tensor TensorRearranger::undoRearrangement(const Tensor& t) const {
  return permuted(requireValid(data_).inverse(), t);
}
std::vector<Interval> TensorRearranger::rearrange(ArrayRef<Interval> intervals) const {
  return requireValid(data_).map(intervals.cloneAsVector());
}
std::vector<Interval> TensorRearranger::undoRearrangement(ArrayRef<Interval> intervals) const {
  return requireValid(data_).inverse().map(intervals.cloneAsVector());
}

} // namespace poplar
