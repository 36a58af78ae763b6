#include "graph/ViewQueries.hpp"

#include "graph/Reshape.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace ipumodel {
namespace {

struct Span {
  std::size_t begin, end;
  friend bool operator<(const Span& a, const Span& b) { return a.begin < b.begin; }
};

// The elements that a view has of one variable, as spans in no order, an element for each time it
// occurs.
using Spans = std::map<VarId, std::vector<Span>>;

void addRun(const Run& run, std::vector<Span>& out) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(run.offset + static_cast<std::int64_t>(i) * run.stride);
  };
  if (run.count == 1 || run.stride == 1)
    out.push_back({at(0), at(run.count - 1) + 1});
  else if (run.stride == -1)
    out.push_back({at(run.count - 1), at(0) + 1});
  else
    for (std::size_t i = 0; i < run.count; ++i)
      out.push_back({at(i), at(i) + 1});
}

Spans spansOf(const View& view) {
  Spans out;
  for (const Box& box : view.boxes) {
    const BoxReach reach = reachOf(box);
    std::vector<Span>& spans = out[box.var];
    if (reach.dense && reach.injective) {
      spans.push_back({reach.begin, reach.end});
      continue;
    }
    const View single{view.type,
                      box.extent,
                      {{Dims(box.extent.size(), 0), box.extent, box.var, box.offset, box.stride}}};
    for (const Run& run : single.runs())
      addRun(run, spans);
  }
  return out;
}

bool sortedOverlap(std::vector<Span>& spans) {
  std::sort(spans.begin(), spans.end());
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (spans[i].begin < spans[i - 1].end)
      return true;
  return false;
}

// REQUIRES: sorted. Whether a span of one list touches a span of the other.
bool listsTouch(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].begin < b[j].end && b[j].begin < a[i].end)
      return true;
    (a[i].end < b[j].end ? i : j)++;
  }
  return false;
}

} // namespace

BoxReach reachOf(const Box& box) {
  struct Dim {
    std::size_t step, extent;
  };
  boost::container::small_vector<Dim, 4> dims;
  BoxReach reach{0, 0, true, true};
  std::int64_t low = box.offset;
  for (std::size_t d = 0; d < box.extent.size(); ++d) {
    if (box.extent[d] == 1)
      continue;
    if (box.stride[d] == 0) {
      reach.injective = false;
      continue;
    }
    if (box.stride[d] < 0)
      low += static_cast<std::int64_t>(box.extent[d] - 1) * box.stride[d];
    dims.push_back({static_cast<std::size_t>(std::abs(box.stride[d])), box.extent[d]});
  }
  std::sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.step < b.step; });
  std::size_t length = 1; // of the hull of the dims so far
  for (const Dim& dim : dims) {
    if (dim.step < length)
      reach.injective = false;
    if (dim.step > length)
      reach.dense = false;
    length += dim.step * (dim.extent - 1);
  }
  reach.begin = static_cast<std::size_t>(low);
  reach.end = reach.begin + length;
  return reach;
}

std::vector<Region> regionsOf(const View& view) {
  std::vector<Region> out;
  for (const LinearRun& r : linearRuns(view)) {
    const Run& run = r.run;
    if (run.stride == 1 || run.count == 1) {
      const auto begin = static_cast<std::size_t>(run.offset);
      if (!out.empty() && out.back().var == run.var && out.back().end() == begin)
        out.back().count += run.count;
      else
        out.push_back({r.position, run.var, begin, run.count});
      continue;
    }
    for (std::size_t i = 0; i < run.count; ++i)
      out.push_back(
          {r.position + i, run.var,
           static_cast<std::size_t>(run.offset + static_cast<std::int64_t>(i) * run.stride), 1});
  }
  return out;
}

bool sameElements(const View& a, const View& b) {
  const std::vector<Run> left = a.runs(), right = b.runs();
  std::size_t i = 0, j = 0, doneLeft = 0, doneRight = 0;
  while (i < left.size() && j < right.size()) {
    const std::size_t n = std::min(left[i].count - doneLeft, right[j].count - doneRight);
    if (left[i].var != right[j].var ||
        left[i].offset + static_cast<std::int64_t>(doneLeft) * left[i].stride !=
            right[j].offset + static_cast<std::int64_t>(doneRight) * right[j].stride ||
        (n > 1 && left[i].stride != right[j].stride))
      return false;
    if ((doneLeft += n) == left[i].count) {
      ++i;
      doneLeft = 0;
    }
    if ((doneRight += n) == right[j].count) {
      ++j;
      doneRight = 0;
    }
  }
  return i == left.size() && j == right.size();
}

bool containsAliases(const View& view) {
  if (view.boxes.size() == 1) {
    const BoxReach reach = reachOf(view.boxes.front());
    if (reach.injective)
      return false;
  }
  for (auto& [var, spans] : spansOf(view))
    if (sortedOverlap(spans))
      return true;
  return false;
}

bool intersects(const View& a, const View& b) {
  Spans left = spansOf(a), right = spansOf(b);
  for (auto& [var, spans] : left) {
    const auto other = right.find(var);
    if (other == right.end())
      continue;
    std::sort(spans.begin(), spans.end());
    std::sort(other->second.begin(), other->second.end());
    if (listsTouch(spans, other->second))
      return true;
  }
  return false;
}

void forEachHull(const View& view, const std::function<void(VarId, std::size_t, std::size_t)>& f) {
  for (const Box& box : view.boxes) {
    const BoxReach reach = reachOf(box);
    f(box.var, reach.begin, reach.end);
  }
}

} // namespace ipumodel
