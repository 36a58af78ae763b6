// Views in row-major order: runs, and the reshapes that are built on them.
#include "graph/Reshape.hpp"

#include <algorithm>
#include <numeric>

namespace ipumodel {
namespace {

// One dimension of a box inside the linear index space of the dimensions it is taken with.
struct LinearDim {
  std::size_t extent;
  std::int64_t stride;      // in the variable
  std::size_t linearStride; // in the index space
};

// Calls f(position, offset, count, stride) for each run of the dims, which go from outer to inner.
template <class F>
void forEachRun(const std::vector<LinearDim>& dims, std::size_t position, std::int64_t offset,
                F f) {
  std::size_t outer = dims.size();
  std::size_t count = 1;
  std::int64_t stride = 1;
  while (outer > 0) {
    const LinearDim& dim = dims[outer - 1];
    const bool continues = dim.linearStride == count &&
                           (count == 1 || dim.stride == stride * static_cast<std::int64_t>(count));
    if (!continues)
      break;
    if (count == 1)
      stride = dim.stride;
    count *= dim.extent;
    --outer;
  }
  std::vector<std::size_t> index(outer, 0);
  while (true) {
    f(position, offset, count, stride);
    std::size_t d = outer;
    while (d > 0) {
      --d;
      position += dims[d].linearStride;
      offset += dims[d].stride;
      if (++index[d] < dims[d].extent)
        break;
      position -= dims[d].linearStride * dims[d].extent;
      offset -= dims[d].stride * static_cast<std::int64_t>(dims[d].extent);
      index[d] = 0;
      if (d == 0)
        return;
    }
    if (outer == 0)
      return;
  }
}

// Part of a box after reshaping some dimensions: index ranges there, and where they lie.
struct Piece {
  Dims origin, extent;
  Strides stride;
  std::int64_t offset = 0;
};

// Cuts `count` elements from `position` on into boxes of `dims` and appends them to pieces.
void cutRun(const std::size_t* dims, std::size_t rank, std::size_t position, std::size_t count,
            std::int64_t offset, std::int64_t stride, const Piece& prefix,
            std::vector<Piece>& pieces) {
  const std::size_t inner =
      std::accumulate(dims + 1, dims + rank, std::size_t{1}, std::multiplies<>());
  const auto advanced = [&](std::size_t elements) {
    return offset + static_cast<std::int64_t>(elements) * stride;
  };
  const auto partialRow = [&](std::size_t done, std::size_t length) {
    Piece row = prefix;
    row.origin.push_back((position + done) / inner);
    row.extent.push_back(1);
    row.stride.push_back(0);
    cutRun(dims + 1, rank - 1, (position + done) % inner, length, advanced(done), stride, row,
           pieces);
  };
  std::size_t done = 0;
  if (position % inner != 0 || count < inner) {
    done = std::min(count, inner - position % inner);
    partialRow(0, done);
  }
  if (const std::size_t rows = (count - done) / inner; rows > 0) {
    Piece block = prefix;
    block.offset = advanced(done);
    block.origin.push_back((position + done) / inner);
    block.extent.push_back(rows);
    block.stride.push_back(stride * static_cast<std::int64_t>(inner));
    std::int64_t blockStride = stride * static_cast<std::int64_t>(inner);
    for (std::size_t d = 1; d < rank; ++d) {
      blockStride /= static_cast<std::int64_t>(dims[d]);
      block.origin.push_back(0);
      block.extent.push_back(dims[d]);
      block.stride.push_back(blockStride);
    }
    pieces.push_back(std::move(block));
    done += rows * inner;
  }
  if (done < count)
    partialRow(done, count - done);
}

// Dimensions [oldBegin, oldEnd) hold the same elements as [newBegin, newEnd) of the new shape.
struct Group {
  std::size_t oldBegin, oldEnd, newBegin, newEnd;
};

// REQUIRES: equal, non-zero numbers of elements, no extents of 1.
std::vector<Group> matchDims(const Dims& oldShape, const Dims& newShape) {
  std::vector<Group> groups;
  std::size_t i = 0, j = 0;
  while (i < oldShape.size()) {
    Group group{i, i + 1, j, j + 1};
    std::size_t oldSize = oldShape[i++], newSize = newShape[j++];
    while (oldSize != newSize) {
      if (oldSize < newSize)
        oldSize *= oldShape[i++];
      else
        newSize *= newShape[j++];
    }
    group.oldEnd = i;
    group.newEnd = j;
    groups.push_back(group);
  }
  return groups;
}

Dims withoutOnes(const Dims& shape) {
  Dims out;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(out),
               [](std::size_t e) { return e != 1; });
  return out;
}

void squeezeBox(Box& box, const Dims& shape) {
  std::size_t kept = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != 1) {
      box.origin[kept] = box.origin[d];
      box.extent[kept] = box.extent[d];
      box.stride[kept] = box.stride[d];
      ++kept;
    }
  box.origin.resize(kept);
  box.extent.resize(kept);
  box.stride.resize(kept);
}

// The pieces of one box for one group, relative to `prefix`.
void reshapeGroup(const Box& box, const Dims& oldShape, const Dims& newShape, const Group& g,
                  const Piece& prefix, std::vector<Piece>& out) {
  if (g.oldEnd - g.oldBegin == 1 && g.newEnd - g.newBegin == 1) {
    Piece same = prefix;
    same.origin.push_back(box.origin[g.oldBegin]);
    same.extent.push_back(box.extent[g.oldBegin]);
    same.stride.push_back(box.stride[g.oldBegin]);
    out.push_back(std::move(same));
    return;
  }
  std::vector<LinearDim> dims;
  std::size_t position = 0, linearStride = 1;
  for (std::size_t d = g.oldEnd; d-- > g.oldBegin;) {
    position += box.origin[d] * linearStride;
    if (box.extent[d] > 1)
      dims.push_back({box.extent[d], box.stride[d], linearStride});
    linearStride *= oldShape[d];
  }
  std::reverse(dims.begin(), dims.end());
  forEachRun(dims, position, prefix.offset,
             [&](std::size_t at, std::int64_t offset, std::size_t count, std::int64_t stride) {
               cutRun(newShape.data() + g.newBegin, g.newEnd - g.newBegin, at, count, offset,
                      stride, prefix, out);
             });
}

} // namespace

std::vector<LinearRun> linearRuns(const View& view) {
  std::vector<LinearRun> out;
  std::vector<LinearDim> dims;
  for (const Box& box : view.boxes) {
    dims.clear();
    std::size_t position = 0, linearStride = 1;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
      position += box.origin[d] * linearStride;
      if (box.extent[d] > 1)
        dims.push_back({box.extent[d], box.stride[d], linearStride});
      linearStride *= view.shape[d];
    }
    std::reverse(dims.begin(), dims.end());
    forEachRun(dims, position, box.offset,
               [&](std::size_t at, std::int64_t offset, std::size_t count, std::int64_t stride) {
                 out.push_back({at, {box.var, offset, count, stride}});
               });
  }
  const auto byPosition = [](const LinearRun& a, const LinearRun& b) {
    return a.position < b.position;
  };
  if (!std::is_sorted(out.begin(), out.end(), byPosition))
    std::sort(out.begin(), out.end(), byPosition);
  mergeRuns(out);
  return out;
}

void mergeRuns(std::vector<LinearRun>& runs) {
  const auto step = [&](std::size_t a, std::size_t b) {
    return runs[b].run.offset - runs[a].run.offset;
  };
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    Run& run = runs[last].run;
    const Run& next = runs[i].run;
    bool merges = run.var == next.var;
    std::int64_t stride = run.stride;
    if (merges && run.count == 1) {
      stride = step(last, i);
      // Two single elements may belong to different runs: prefer the one that goes on.
      if (next.count > 1)
        merges = next.stride == stride;
      else if (stride != 1 && i + 1 < runs.size())
        merges = runs[i + 1].run.var == next.var && step(i, i + 1) == stride;
    } else if (merges) {
      merges = next.offset == run.offset + static_cast<std::int64_t>(run.count) * stride &&
               (next.count == 1 || next.stride == stride);
    }
    if (merges) {
      run.stride = stride;
      run.count += next.count;
    } else if (++last != i) {
      runs[last] = runs[i];
    }
  }
  if (!runs.empty())
    runs.resize(last + 1);
}

View viewOfRuns(poplar::Type type, const std::vector<LinearRun>& runs, std::size_t numElements) {
  View out{type, Dims{numElements}, {}, 0};
  out.boxes.reserve(runs.size());
  for (const LinearRun& r : runs)
    out.boxes.push_back(
        {Dims{r.position}, Dims{r.run.count}, r.run.var, r.run.offset, Strides{r.run.stride}});
  return out;
}

std::vector<Run> View::runs() const {
  std::vector<Run> out;
  for (const LinearRun& r : linearRuns(*this))
    out.push_back(r.run);
  return out;
}

View View::reshape(const Dims& newShape) const {
  if (newShape == shape)
    return *this;
  if (boxes.empty())
    return View{type, newShape, {}, -1};
  if (newShape.size() == 1)
    return viewOfRuns(type, linearRuns(*this), numElements());

  const Dims oldDims = withoutOnes(shape), newDims = withoutOnes(newShape);
  const std::vector<Group> groups = matchDims(oldDims, newDims);
  View out{type, newShape, {}, -1};
  std::vector<Piece> pieces, next;
  for (Box box : boxes) {
    squeezeBox(box, shape);
    pieces.assign(1, Piece{{}, {}, {}, box.offset});
    for (const Group& group : groups) {
      next.clear();
      for (const Piece& piece : pieces)
        reshapeGroup(box, oldDims, newDims, group, piece, next);
      pieces.swap(next);
    }
    for (const Piece& piece : pieces) {
      Box part{Dims(newShape.size(), 0), Dims(newShape.size(), 1), box.var, piece.offset,
               Strides(newShape.size(), 0)};
      for (std::size_t d = 0, kept = 0; d < newShape.size(); ++d)
        if (newShape[d] != 1) {
          part.origin[d] = piece.origin[kept];
          part.extent[d] = piece.extent[kept];
          part.stride[d] = piece.stride[kept];
          ++kept;
        }
      out.boxes.push_back(std::move(part));
    }
  }
  out.coalesce();
  return out;
}

} // namespace ipumodel
