#include "lower/ViewSegments.hpp"

#include "graph/TypeInfo.hpp"

#include <algorithm>
#include <utility>

namespace ipumodel {

namespace {

void append(Segment segment, std::int64_t elementBytes, std::vector<Segment>& segments) {
  if (segment.count == 0)
    return;
  if (segment.count == 1)
    segment.strideBytes = elementBytes;
  if (!segments.empty()) {
    Segment& last = segments.back();
    const bool lastIsDense = last.strideBytes == elementBytes;
    if (lastIsDense && segment.strideBytes == elementBytes &&
        last.offset + last.count * static_cast<std::uint64_t>(elementBytes) == segment.offset) {
      last.count += segment.count;
      return;
    }
  }
  segments.push_back(segment);
}

// The common case, an edge that is one stretch of one variable, without going through runs().
bool isDense(const Box& box) {
  std::int64_t expected = 1;
  for (std::size_t d = box.extent.size(); d-- > 0;) {
    if (box.extent[d] != 1 && box.stride[d] != expected)
      return false;
    expected *= static_cast<std::int64_t>(box.extent[d]);
  }
  return true;
}

std::size_t numElements(const Box& box) {
  std::size_t count = 1;
  for (const std::size_t extent : box.extent)
    count *= extent;
  return count;
}

// First and last byte + 1.
std::pair<std::uint64_t, std::uint64_t> extentOf(const Segment& s, std::uint64_t elementBytes) {
  const std::uint64_t last = s.offset + (s.count - 1) * static_cast<std::uint64_t>(s.strideBytes);
  return {std::min(s.offset, last), std::max(s.offset, last) + elementBytes};
}

} // namespace

void appendSegments(const View& view, const VariableOffsets& offsets,
                    std::vector<Segment>& segments) {
  const auto elementBytes = static_cast<std::int64_t>(sizeOf(view.type));
  const auto at = [&](VarId var, std::int64_t element) {
    return offsets[var.value] + static_cast<std::uint64_t>(element * elementBytes);
  };
  if (view.boxes.size() == 1 && isDense(view.boxes.front())) {
    const Box& box = view.boxes.front();
    append({at(box.var, box.offset), numElements(box), elementBytes}, elementBytes, segments);
    return;
  }
  for (const Run& run : view.runs())
    append({at(run.var, run.offset), run.count, run.stride * elementBytes}, elementBytes, segments);
}

std::vector<Segment> segmentsOf(const View& view, const VariableOffsets& offsets) {
  std::vector<Segment> segments;
  appendSegments(view, offsets, segments);
  return segments;
}

std::vector<Segment> packedSegments(std::uint64_t offset, std::uint64_t numElements,
                                    std::uint64_t elementBytes) {
  if (numElements == 0)
    return {};
  return {{offset, numElements, static_cast<std::int64_t>(elementBytes)}};
}

bool overlap(const std::vector<Segment>& a, const std::vector<Segment>& b,
             std::uint64_t elementBytes) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> left, right;
  for (const Segment& s : a)
    left.push_back(extentOf(s, elementBytes));
  for (const Segment& s : b)
    right.push_back(extentOf(s, elementBytes));
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  auto l = left.begin(), r = right.begin();
  while (l != left.end() && r != right.end()) {
    if (l->second <= r->first)
      ++l;
    else if (r->second <= l->first)
      ++r;
    else
      return true;
  }
  return false;
}

} // namespace ipumodel
