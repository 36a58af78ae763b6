#include "graph/TileMap.hpp"

#include <algorithm>
#include <map>

namespace ipumodel {
namespace {

using Range = TileMap::Range;

bool isOrdered(const std::vector<Range>& ranges) {
  return std::adjacent_find(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
           return b.begin < a.end;
         }) == ranges.end();
}

// Disjoint and sorted, from assignments in call order: going backwards, each keeps what no later
// one has taken.
std::vector<Range> resolve(const std::vector<Range>& calls) {
  std::map<std::size_t, Range> taken; // by begin
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    std::size_t at = call->begin;
    auto next = taken.upper_bound(at);
    if (next != taken.begin())
      at = std::max(at, std::prev(next)->second.end);
    while (at < call->end) {
      const std::size_t end =
          next == taken.end() ? call->end : std::min(call->end, next->second.begin);
      if (at < end)
        taken.emplace_hint(next, at, Range{at, end, call->tile});
      if (next == taken.end())
        break;
      at = std::max(at, next->second.end);
      ++next;
    }
  }
  std::vector<Range> out;
  out.reserve(taken.size());
  for (const auto& [begin, range] : taken)
    out.push_back(range);
  return out;
}

void append(std::vector<Range>& out, std::size_t begin, std::size_t end, TileId tile) {
  if (begin >= end)
    return;
  if (!out.empty() && out.back().end == begin && out.back().tile == tile)
    out.back().end = end;
  else
    out.push_back({begin, end, tile});
}

// `above` where it says something, otherwise `below`; both disjoint and sorted.
std::vector<Range> overlay(const std::vector<Range>& below, const std::vector<Range>& above) {
  std::vector<Range> out;
  out.reserve(below.size() + above.size());
  auto low = below.begin();
  std::size_t done = 0; // elements before this one are settled
  const auto fillUpTo = [&](std::size_t end) {
    for (; low != below.end() && low->begin < end; ++low) {
      append(out, std::max(low->begin, done), std::min(low->end, end), low->tile);
      if (low->end > end)
        break;
    }
  };
  for (const Range& high : above) {
    fillUpTo(high.begin);
    append(out, high.begin, high.end, high.tile);
    done = high.end;
    while (low != below.end() && low->end <= done)
      ++low;
  }
  fillUpTo(~std::size_t{0});
  return out;
}

} // namespace

void TileMap::assign(std::size_t begin, std::size_t end, TileId tile) {
  if (begin < end)
    ranges_.push_back({begin, end, tile});
  // Remapping the same elements again and again must not pile up.
  if (ranges_.size() > 2 * settled_ + 4096)
    ranges();
}

const std::vector<Range>& TileMap::ranges() const {
  if (settled_ == ranges_.size())
    return ranges_;
  std::vector<Range> pending(ranges_.begin() + static_cast<std::ptrdiff_t>(settled_),
                             ranges_.end());
  ranges_.resize(settled_);
  if (!isOrdered(pending))
    pending = resolve(pending);
  ranges_ = overlay(ranges_, pending);
  settled_ = ranges_.size();
  return ranges_;
}

bool TileMap::covers(std::size_t numElements) const {
  std::size_t at = 0;
  for (const Range& range : ranges()) {
    if (range.begin > at)
      return false;
    at = range.end;
  }
  return at >= numElements;
}

} // namespace ipumodel
