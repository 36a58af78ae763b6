// The view operations of poplar::Tensor: checks of their arguments, then the same operation of
// View.
#include "graph/Access.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"

#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace ipumodel {

const View& viewOf(const poplar::Tensor& tensor) {
  if (!tensor.valid())
    throw poplar::poplar_error("an invalid (default-constructed) tensor was used");
  return tensor.getImpl()->view;
}

poplar::Tensor makeTensor(std::shared_ptr<GraphData> graph, View view) {
  return poplar::Tensor(std::make_shared<const TensorData>(std::move(graph), std::move(view)));
}

} // namespace ipumodel

namespace poplar {
namespace {

using ipumodel::Dims;
using ipumodel::makeTensor;
using ipumodel::View;
using ipumodel::viewOf;

template <class Shape>
std::string text(const Shape& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    out += (i ? "," : "") + std::to_string(shape[i]);
  return out + "]";
}

// "tensor 'a/b' of shape [2,3]", for messages.
std::string describe(const Tensor& t) {
  return "tensor " + t.getVarStr() + " of shape " + t.shapeToString();
}

void requireDim(const Tensor& t, std::size_t dim, const char* operation) {
  if (dim >= t.rank())
    throw poplar_error(std::string(operation) + ": dimension " + std::to_string(dim) + " of " +
                       describe(t) + "; it must be less than " + std::to_string(t.rank()));
}

std::size_t product(ArrayRef<std::size_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Tensor like(const Tensor& t, View view) {
  return makeTensor(t.getImpl()->graph, std::move(view));
}

} // namespace

Tensor::Tensor() = default;
Tensor::~Tensor() = default;
Tensor::Tensor(const Tensor&) = default;
Tensor::Tensor(Tensor&&) noexcept = default;
Tensor& Tensor::operator=(const Tensor&) = default;
Tensor& Tensor::operator=(Tensor&&) noexcept = default;
Tensor::Tensor(std::shared_ptr<const ipumodel::TensorData> data) : data_(std::move(data)) {}

Type Tensor::elementType() const {
  return viewOf(*this).type;
}
std::size_t Tensor::numElements() const {
  return viewOf(*this).numElements();
}
unsigned Tensor::rank() const {
  return static_cast<unsigned>(viewOf(*this).shape.size());
}
std::vector<std::size_t> Tensor::shape() const {
  return {viewOf(*this).shape.begin(), viewOf(*this).shape.end()};
}
std::size_t Tensor::dim(unsigned i) const {
  requireDim(*this, i, "dim");
  return viewOf(*this).shape[i];
}

Tensor Tensor::operator[](std::size_t i) const {
  requireDim(*this, 0, "operator[]");
  const View& view = viewOf(*this);
  if (i >= view.shape[0])
    throw index_error("index " + std::to_string(i) + " into " + describe(*this) +
                      " is out of range");
  return like(*this, view.index(i));
}

Tensor Tensor::index(ArrayRef<std::size_t> indices) const {
  Tensor out = *this;
  for (std::size_t i : indices)
    out = out[i];
  return out;
}

Tensor Tensor::slice(std::size_t begin, std::size_t end, unsigned dimension) const {
  requireDim(*this, dimension, "slice");
  const View& view = viewOf(*this);
  if (begin > end || end > view.shape[dimension])
    throw poplar_error("slice [" + std::to_string(begin) + "," + std::to_string(end) +
                       ") of dimension " + std::to_string(dimension) + " of " + describe(*this) +
                       " is out of range");
  Dims first(view.shape.size(), 0), last = view.shape;
  first[dimension] = begin;
  last[dimension] = end;
  return like(*this, view.slice(first, last));
}

Tensor Tensor::slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const {
  const View& view = viewOf(*this);
  if (begin.size() != view.shape.size() || end.size() != view.shape.size())
    throw poplar_error("slice from " + text(begin) + " to " + text(end) + " of " + describe(*this) +
                       ": there must be one begin and end per dimension");
  for (std::size_t d = 0; d < begin.size(); ++d)
    if (begin[d] > end[d] || end[d] > view.shape[d])
      throw poplar_error("slice from " + text(begin) + " to " + text(end) + " of " +
                         describe(*this) + " is out of range");
  return like(*this, view.slice(Dims(begin.begin(), begin.end()), Dims(end.begin(), end.end())));
}

std::vector<Tensor> Tensor::slices(ArrayRef<Interval> intervals, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const Interval& i : intervals)
    out.push_back(slice(i, dimension));
  return out;
}

std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>>& intervals,
                                   unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(intervals.size());
  for (const std::vector<Interval>& list : intervals)
    out.push_back(list.empty() ? slice(0, 0, dimension)
                               : concat(slices(list, dimension), dimension));
  return out;
}

std::vector<Tensor> Tensor::slices(const ArrayRef<unsigned>& indices, unsigned dimension) const {
  std::vector<Tensor> out;
  out.reserve(indices.size());
  for (unsigned i : indices)
    out.push_back(slice(i, i + std::size_t{1}, dimension));
  return out;
}

Tensor Tensor::flatten() const {
  return like(*this, viewOf(*this).reshape({numElements()}));
}

Tensor Tensor::flatten(unsigned beginDim, unsigned endDim) const {
  if (beginDim > endDim || endDim > rank())
    throw poplar_error("flatten of dimensions [" + std::to_string(beginDim) + "," +
                       std::to_string(endDim) + ") of " + describe(*this) + " is out of range");
  const std::vector<std::size_t> s = shape();
  return reshapePartial(beginDim, endDim,
                        {std::accumulate(s.begin() + beginDim, s.begin() + endDim, std::size_t{1},
                                         std::multiplies<>())});
}

Tensor Tensor::reshape(ArrayRef<std::size_t> shape) const {
  if (product(shape) != numElements())
    throw poplar_error("reshape of " + describe(*this) + " to " + text(shape) +
                       ": the number of elements must stay " + std::to_string(numElements()));
  return like(*this, viewOf(*this).reshape(Dims(shape.begin(), shape.end())));
}

Tensor Tensor::reshapePartial(unsigned beginDim, unsigned endDim,
                              ArrayRef<std::size_t> newDims) const {
  if (beginDim > endDim || endDim > rank())
    throw poplar_error("reshapePartial of dimensions [" + std::to_string(beginDim) + "," +
                       std::to_string(endDim) + ") of " + describe(*this) + " is out of range");
  std::vector<std::size_t> s = shape();
  s.erase(s.begin() + beginDim, s.begin() + endDim);
  s.insert(s.begin() + beginDim, newDims.begin(), newDims.end());
  return reshape(s);
}

Tensor Tensor::dimShuffle(ArrayRef<unsigned> permutation) const {
  std::vector<unsigned> sorted(permutation.begin(), permutation.end());
  std::sort(sorted.begin(), sorted.end());
  for (unsigned d = 0; d < sorted.size(); ++d)
    if (sorted[d] != d || sorted.size() != rank())
      throw poplar_error("dimShuffle of " + describe(*this) + " by " + text(permutation) +
                         ": not a permutation of its dimensions");
  return like(*this, viewOf(*this).dimShuffle({permutation.begin(), permutation.end()}));
}

Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const {
  constexpr unsigned kFree = ~0u;
  if (source.size() != destination.size())
    throw poplar_error("dimShufflePartial of " + describe(*this) + " from " + text(source) +
                       " to " + text(destination) + ": the lists must have the same length");
  std::vector<unsigned> permutation(rank(), kFree);
  std::vector<bool> isMoved(rank(), false);
  for (std::size_t i = 0; i < source.size(); ++i) {
    requireDim(*this, source[i], "dimShufflePartial");
    requireDim(*this, destination[i], "dimShufflePartial");
    permutation[destination[i]] = source[i];
    isMoved[source[i]] = true;
  }
  unsigned next = 0;
  for (unsigned& p : permutation)
    if (p == kFree) {
      while (next < isMoved.size() && isMoved[next])
        ++next;
      p = next++;
    }
  return dimShuffle(permutation);
}

Tensor Tensor::dimRoll(unsigned dimIdx, unsigned newIdx) const {
  return dimShufflePartial({dimIdx}, {newIdx});
}

Tensor Tensor::transpose() const {
  std::vector<unsigned> permutation(rank());
  std::iota(permutation.rbegin(), permutation.rend(), 0u);
  return dimShuffle(permutation);
}

Tensor Tensor::expand(ArrayRef<std::size_t> indices) const {
  std::vector<std::size_t> sorted(indices.begin(), indices.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  View view = viewOf(*this);
  for (std::size_t i : sorted) {
    if (i > rank())
      throw poplar_error("expand of " + describe(*this) + " before dimension " + std::to_string(i) +
                         "; it must be at most " + std::to_string(rank()));
    view = view.insertDim(static_cast<unsigned>(i));
  }
  return like(*this, std::move(view));
}

Tensor Tensor::squeeze(ArrayRef<std::size_t> indices) const {
  std::vector<std::size_t> sorted(indices.begin(), indices.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  View view = viewOf(*this);
  for (std::size_t i : sorted) {
    requireDim(*this, i, "squeeze");
    if (view.shape[i] != 1)
      throw poplar_error("squeeze of dimension " + std::to_string(i) + " of " + describe(*this) +
                         ", which is not 1");
    view = view.removeDim(static_cast<unsigned>(i));
  }
  return like(*this, std::move(view));
}

Tensor Tensor::subSample(unsigned stride, unsigned dimension) const {
  requireDim(*this, dimension, "subSample");
  if (stride == 0)
    throw poplar_error("subSample of " + describe(*this) + " by 0; the stride must be at least 1");
  return like(*this, viewOf(*this).subSample(stride, dimension));
}

Tensor Tensor::upsample(unsigned scale, unsigned dimension, UpsampleMethod) const {
  requireDim(*this, dimension, "upsample");
  View view = viewOf(*this).insertDim(dimension + 1).broadcast(scale, dimension + 1);
  Dims merged = viewOf(*this).shape;
  merged[dimension] *= scale;
  return like(*this, view.reshape(merged));
}

Tensor Tensor::broadcast(unsigned N, unsigned dimension) const {
  requireDim(*this, dimension, "broadcast");
  return like(*this, viewOf(*this).broadcast(N, dimension));
}

Tensor Tensor::reverse(unsigned dimension) const {
  requireDim(*this, dimension, "reverse");
  return like(*this, viewOf(*this).reverse(dimension));
}

Tensor Tensor::reinterpret(const Type& type) const {
  if (ipumodel::sizeOf(type) != ipumodel::sizeOf(elementType()))
    throw type_error("reinterpret of " + describe(*this) + " from " +
                     elementType().toString().cloneAsString() + " to " +
                     type.toString().cloneAsString() + ": their sizes differ");
  View view = viewOf(*this);
  view.type = type;
  return like(*this, std::move(view));
}

Tensor concat(ArrayRef<Tensor> ts, unsigned dimension) {
  if (ts.empty())
    throw poplar_error("concat of no tensors");
  const Tensor& first = ts[0];
  requireDim(first, dimension, "concat");
  std::vector<View> parts;
  parts.reserve(ts.size());
  for (const Tensor& t : ts) {
    viewIn(*first.getImpl()->graph, t, "concat");
    if (t.elementType() != first.elementType())
      throw type_error("concat of " + describe(first) + " and " + describe(t) +
                       ": their element types differ");
    bool fits = t.rank() == first.rank();
    for (unsigned d = 0; fits && d < t.rank(); ++d)
      fits = d == dimension || t.dim(d) == first.dim(d);
    if (!fits)
      throw poplar_error("concat of " + describe(first) + " and " + describe(t) +
                         " along dimension " + std::to_string(dimension) +
                         ": the other dimensions must be equal");
    parts.push_back(viewOf(t));
  }
  return like(first, View::concat(parts, dimension));
}

Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension) {
  return concat({first, second}, dimension);
}
Tensor append(const Tensor& first, const Tensor& second, unsigned dimension) {
  return concat(first, second.expand({dimension}), dimension);
}
Tensor append(const Tensor& first, const Tensor& second) {
  return append(first, second, 0);
}

} // namespace poplar
