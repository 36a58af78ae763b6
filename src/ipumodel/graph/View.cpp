#include "graph/View.hpp"

#include <algorithm>
#include <numeric>

namespace ipumodel {
namespace {

std::size_t ceilDiv(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

std::int64_t times(std::size_t n, std::int64_t stride) {
  return static_cast<std::int64_t>(n) * stride;
}

// Cuts a box that overlaps [begin, end) down to that, relative to begin.
void intersect(Box& box, const Dims& begin, const Dims& end) {
  for (std::size_t d = 0; d < begin.size(); ++d) {
    const std::size_t first = std::max(box.origin[d], begin[d]);
    const std::size_t last = std::min(box.origin[d] + box.extent[d], end[d]);
    box.offset += times(first - box.origin[d], box.stride[d]);
    box.origin[d] = first - begin[d];
    box.extent[d] = last - first;
  }
}

bool overlaps(const Box& box, const Dims& begin, const Dims& end) {
  for (std::size_t d = 0; d < begin.size(); ++d)
    if (std::max(box.origin[d], begin[d]) >= std::min(box.origin[d] + box.extent[d], end[d]))
      return false;
  return true;
}

// Whether neither begins nor ends of boxes ever go back along a dimension.
bool followEachOther(const std::vector<Box>& boxes, std::size_t dim) {
  return std::is_sorted(boxes.begin(), boxes.end(), [dim](const Box& next, const Box& box) {
    return next.origin[dim] < box.origin[dim] ||
           next.origin[dim] + next.extent[dim] < box.origin[dim] + box.extent[dim];
  });
}

// Whether `next` carries on where `box` ends along a dimension; if so, box swallows it.
bool mergeAlong(Box& box, const Box& next, std::size_t dim) {
  if (box.var != next.var || box.origin[dim] + box.extent[dim] != next.origin[dim])
    return false;
  for (std::size_t d = 0; d < box.origin.size(); ++d) {
    if (d == dim)
      continue;
    if (box.origin[d] != next.origin[d] || box.extent[d] != next.extent[d])
      return false;
    if (box.extent[d] > 1 && box.stride[d] != next.stride[d])
      return false;
  }
  const std::int64_t gap = next.offset - box.offset;
  const std::int64_t stride = box.extent[dim] > 1 ? box.stride[dim] : gap;
  if (gap != times(box.extent[dim], stride))
    return false;
  if (next.extent[dim] > 1 && next.stride[dim] != stride)
    return false;
  box.stride[dim] = stride;
  box.extent[dim] += next.extent[dim];
  return true;
}

} // namespace

std::size_t View::numElements() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

View View::whole(VarId var, poplar::Type type, const Dims& shape) {
  View view{type, shape, {}, shape.empty() ? -1 : 0};
  if (view.numElements() == 0)
    return view;
  Box box;
  box.origin.assign(shape.size(), 0);
  box.extent = shape;
  box.var = var;
  box.stride.resize(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    box.stride[d] = stride;
    stride *= static_cast<std::int64_t>(shape[d]);
  }
  view.boxes.push_back(std::move(box));
  return view;
}

View View::slice(const Dims& begin, const Dims& end) const {
  View out{type, shape, {}, orderedBy};
  for (std::size_t d = 0; d < shape.size(); ++d)
    out.shape[d] = end[d] - begin[d];
  auto first = boxes.begin();
  auto last = boxes.end();
  if (orderedBy >= 0 && boxes.size() > 1) {
    const auto d = static_cast<std::size_t>(orderedBy);
    first = std::partition_point(
        first, last, [&](const Box& b) { return b.origin[d] + b.extent[d] <= begin[d]; });
    last = std::partition_point(first, last, [&](const Box& b) { return b.origin[d] < end[d]; });
  }
  for (auto it = first; it != last; ++it)
    if (overlaps(*it, begin, end)) {
      out.boxes.push_back(*it);
      intersect(out.boxes.back(), begin, end);
    }
  return out;
}

View View::index(std::size_t i) const {
  View out{type, Dims(shape.begin() + 1, shape.end()), {}, -1};
  auto first = boxes.begin();
  auto last = boxes.end();
  if (orderedBy == 0 && boxes.size() > 1) {
    first = std::partition_point(first, last,
                                 [&](const Box& b) { return b.origin[0] + b.extent[0] <= i; });
    last = std::partition_point(first, last, [&](const Box& b) { return b.origin[0] <= i; });
  }
  for (auto box = first; box != last; ++box)
    if (box->origin[0] <= i && i < box->origin[0] + box->extent[0])
      out.boxes.push_back({Dims(box->origin.begin() + 1, box->origin.end()),
                           Dims(box->extent.begin() + 1, box->extent.end()), box->var,
                           box->offset + times(i - box->origin[0], box->stride[0]),
                           Strides(box->stride.begin() + 1, box->stride.end())});
  if (orderedBy > 0)
    out.orderedBy = orderedBy - 1;
  else if (out.boxes.size() <= 1 && !out.shape.empty())
    out.orderedBy = 0;
  return out;
}

View View::dimShuffle(const std::vector<unsigned>& permutation) const {
  View out = *this;
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    out.shape[d] = shape[permutation[d]];
    if (static_cast<int>(permutation[d]) == orderedBy)
      out.orderedBy = static_cast<int>(d);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t d = 0; d < permutation.size(); ++d) {
      out.boxes[i].origin[d] = boxes[i].origin[permutation[d]];
      out.boxes[i].extent[d] = boxes[i].extent[permutation[d]];
      out.boxes[i].stride[d] = boxes[i].stride[permutation[d]];
    }
  return out;
}

View View::reverse(unsigned dim) const {
  View out = *this;
  for (Box& box : out.boxes) {
    box.origin[dim] = shape[dim] - box.origin[dim] - box.extent[dim];
    box.offset += times(box.extent[dim] - 1, box.stride[dim]);
    box.stride[dim] = -box.stride[dim];
  }
  if (orderedBy == static_cast<int>(dim))
    std::reverse(out.boxes.begin(), out.boxes.end());
  return out;
}

View View::subSample(std::size_t stride, unsigned dim) const {
  View out{type, shape, {}, orderedBy};
  out.shape[dim] = ceilDiv(shape[dim], stride);
  for (Box box : boxes) {
    const std::size_t first = ceilDiv(box.origin[dim], stride);
    const std::size_t last = ceilDiv(box.origin[dim] + box.extent[dim], stride);
    if (first >= last)
      continue;
    box.offset += times(first * stride - box.origin[dim], box.stride[dim]);
    box.origin[dim] = first;
    box.extent[dim] = last - first;
    box.stride[dim] *= static_cast<std::int64_t>(stride);
    out.boxes.push_back(std::move(box));
  }
  return out;
}

View View::broadcast(std::size_t times, unsigned dim) const {
  View out{type, shape, {}, -1};
  out.shape[dim] *= times;
  if (times == 0)
    return out;
  if (shape[dim] == 1) {
    out.boxes = boxes;
    out.orderedBy = orderedBy == static_cast<int>(dim) && boxes.size() > 1 ? -1 : orderedBy;
    for (Box& box : out.boxes) {
      box.extent[dim] = times;
      box.stride[dim] = 0;
    }
    return out;
  }
  out.boxes.reserve(boxes.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    for (Box box : boxes) {
      box.origin[dim] += i * shape[dim];
      out.boxes.push_back(std::move(box));
    }
  if (boxes.size() <= 1 || orderedBy == static_cast<int>(dim))
    out.orderedBy = static_cast<int>(dim);
  return out;
}

View View::insertDim(unsigned dim) const {
  View out = *this;
  out.shape.insert(out.shape.begin() + dim, 1);
  for (Box& box : out.boxes) {
    box.origin.insert(box.origin.begin() + dim, 0);
    box.extent.insert(box.extent.begin() + dim, 1);
    box.stride.insert(box.stride.begin() + dim, 0);
  }
  if (orderedBy >= static_cast<int>(dim))
    ++out.orderedBy;
  else if (orderedBy < 0 && boxes.size() == 1)
    out.orderedBy = static_cast<int>(dim);
  return out;
}

View View::removeDim(unsigned dim) const {
  View out = *this;
  out.shape.erase(out.shape.begin() + dim);
  for (Box& box : out.boxes) {
    box.origin.erase(box.origin.begin() + dim);
    box.extent.erase(box.extent.begin() + dim);
    box.stride.erase(box.stride.begin() + dim);
  }
  if (orderedBy == static_cast<int>(dim))
    out.orderedBy = boxes.size() <= 1 && !out.shape.empty() ? 0 : -1;
  else if (orderedBy > static_cast<int>(dim))
    --out.orderedBy;
  return out;
}

View View::concat(const std::vector<View>& parts, unsigned dim) {
  View out{parts.front().type, parts.front().shape, {}, static_cast<int>(dim)};
  std::size_t numBoxes = 0;
  for (const View& part : parts)
    numBoxes += part.boxes.size();
  out.boxes.reserve(numBoxes);
  std::size_t at = 0;
  for (const View& part : parts) {
    if (part.boxes.size() > 1 && part.orderedBy != static_cast<int>(dim) &&
        !followEachOther(part.boxes, dim))
      out.orderedBy = -1;
    bool isFirst = true;
    for (Box box : part.boxes) {
      box.origin[dim] += at;
      if (!(isFirst && !out.boxes.empty() && mergeAlong(out.boxes.back(), box, dim)))
        out.boxes.push_back(std::move(box));
      isFirst = false;
    }
    at += part.shape[dim];
  }
  out.shape[dim] = at;
  return out;
}

void View::coalesce() {
  for (std::size_t d = shape.size(); d-- > 0 && boxes.size() > 1;) {
    std::sort(boxes.begin(), boxes.end(), [d](const Box& a, const Box& b) {
      for (std::size_t e = 0; e < a.origin.size(); ++e)
        if (e != d && a.origin[e] != b.origin[e])
          return a.origin[e] < b.origin[e];
      return a.origin[d] < b.origin[d];
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i < boxes.size(); ++i)
      if (!mergeAlong(boxes[last], boxes[i], d) && ++last != i)
        boxes[last] = std::move(boxes[i]);
    boxes.resize(last + 1);
  }
  if (shape.empty() || boxes.size() <= 1) {
    orderedBy = shape.empty() ? -1 : 0;
    return;
  }
  // Many boxes are often sliced many times: let them follow each other if they can.
  std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
    return std::lexicographical_compare(a.origin.begin(), a.origin.end(), b.origin.begin(),
                                        b.origin.end());
  });
  orderedBy = followEachOther(boxes, 0) ? 0 : -1;
}

} // namespace ipumodel
