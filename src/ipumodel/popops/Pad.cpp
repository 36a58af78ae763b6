#include <popops/Pad.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <string>

namespace popops {
namespace {

using padding::MappingMethod;
using poplar::Graph;
using poplar::Tensor;
using Amounts = std::vector<std::ptrdiff_t>;

// Cuts what negative padding takes; leaves the padding that is to be added.
Tensor cut(const Tensor& t, std::ptrdiff_t& lower, std::ptrdiff_t& upper, unsigned dim) {
  const auto size = static_cast<std::ptrdiff_t>(t.dim(dim));
  const auto begin = lower < 0 ? -lower : 0, end = upper < 0 ? size + upper : size;
  if (begin > end)
    throw poputil::poplibs_error("pad: negative padding of dimension " + std::to_string(dim) +
                                 " takes more than its " + std::to_string(size) + " elements");
  lower = lower < 0 ? 0 : lower;
  upper = upper < 0 ? 0 : upper;
  return t.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), dim);
}

void checkAmounts(const Tensor& t, const Amounts& lower, const Amounts& upper) {
  if (lower.size() != t.rank() || upper.size() != t.rank())
    throw poputil::poplibs_error("pad: " + std::to_string(lower.size()) + " and " +
                                 std::to_string(upper.size()) + " amounts for a tensor of rank " +
                                 std::to_string(t.rank()));
}

// `make` gives a constant of a shape.
template <class Make>
Tensor padOneDim(Graph& graph, const Tensor& tensor, std::ptrdiff_t lower, std::ptrdiff_t upper,
                 unsigned dim, MappingMethod method, const Make& make) {
  const auto t = cut(tensor, lower, upper, dim);
  std::vector<Tensor> parts;
  const auto addPadding = [&](std::ptrdiff_t amount, std::size_t edge) {
    if (amount == 0)
      return;
    auto shape = t.shape();
    shape[dim] = static_cast<std::size_t>(amount);
    const auto padding = make(shape);
    if (method == MappingMethod::ZERO)
      graph.setTileMapping(padding, 0);
    else if (method == MappingMethod::EDGE)
      for (std::size_t k = 0; k != shape[dim]; ++k)
        graph.setTileMapping(padding.slice(k, k + 1, dim),
                             graph.getTileMapping(t.slice(edge, edge + 1, dim)));
    parts.push_back(padding);
  };
  addPadding(lower, 0);
  parts.push_back(t);
  addPadding(upper, t.dim(dim) - 1);
  return poplar::concat(parts, dim);
}

template <class T>
Tensor padConstant(Graph& graph, const Tensor& t, std::ptrdiff_t lower, std::ptrdiff_t upper,
                   unsigned dim, T value, MappingMethod method) {
  return padOneDim(graph, t, lower, upper, dim, method, [&](const std::vector<std::size_t>& shape) {
    return graph.addConstant(t.elementType(), shape, value);
  });
}

} // namespace

Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, float val, MappingMethod mappingMethod) {
  return padConstant(graph, t, paddingLower, paddingUpper, dim, val, mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, int val, MappingMethod mappingMethod) {
  return padConstant(graph, t, paddingLower, paddingUpper, dim, val, mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, const Tensor& val, MappingMethod) {
  if (val.numElements() != 1)
    throw poputil::poplibs_error("pad: the value to pad with has shape " + val.shapeToString() +
                                 "; it must be one element");
  // The elements of `val` are mapped already.
  return padOneDim(graph, t, paddingLower, paddingUpper, dim, MappingMethod::NONE,
                   [&](const std::vector<std::size_t>& shape) {
                     std::size_t n = 1;
                     for (auto size : shape)
                       n *= size;
                     return val.reshape({1}).broadcast(static_cast<unsigned>(n), 0).reshape(shape);
                   });
}

namespace {

template <class Value>
Tensor padAll(Graph& graph, Tensor t, const Amounts& lower, const Amounts& upper,
              const Value& value, MappingMethod method) {
  checkAmounts(t, lower, upper);
  for (unsigned d = 0; d != lower.size(); ++d)
    t = pad(graph, t, lower[d], upper[d], d, value, method);
  return t;
}

} // namespace

Tensor pad(Graph& graph, const Tensor& t, const Amounts& paddingLower, const Amounts& paddingUpper,
           float val, MappingMethod mappingMethod) {
  return padAll(graph, t, paddingLower, paddingUpper, val, mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, const Amounts& paddingLower, const Amounts& paddingUpper,
           int val, MappingMethod mappingMethod) {
  return padAll(graph, t, paddingLower, paddingUpper, val, mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, const Amounts& paddingLower, const Amounts& paddingUpper,
           const Tensor& val, MappingMethod mappingMethod) {
  return padAll(graph, t, paddingLower, paddingUpper, val, mappingMethod);
}

Tensor pad(const Tensor& tensor, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper,
           unsigned dim, padding::Type type) {
  const auto t = cut(tensor, paddingLower, paddingUpper, dim);
  const auto size = t.dim(dim);
  const auto lower = static_cast<std::size_t>(paddingLower);
  const auto upper = static_cast<std::size_t>(paddingUpper);
  std::vector<Tensor> parts;
  if (type == padding::Type::EDGE) {
    if (lower)
      parts.push_back(t.slice(0, 1, dim).broadcast(static_cast<unsigned>(lower), dim));
    parts.push_back(t);
    if (upper)
      parts.push_back(t.slice(size - 1, size, dim).broadcast(static_cast<unsigned>(upper), dim));
    return poplar::concat(parts, dim);
  }
  if (lower >= size || upper >= size)
    throw poputil::poplibs_error("pad: reflection of " + std::to_string(std::max(lower, upper)) +
                                 " elements of a dimension of " + std::to_string(size));
  if (lower)
    parts.push_back(t.slice(1, lower + 1, dim).reverse(dim));
  parts.push_back(t);
  if (upper)
    parts.push_back(t.slice(size - 1 - upper, size - 1, dim).reverse(dim));
  return poplar::concat(parts, dim);
}

Tensor pad(const Tensor& tensor, const Amounts& paddingLower, const Amounts& paddingUpper,
           padding::Type type) {
  checkAmounts(tensor, paddingLower, paddingUpper);
  auto t = tensor;
  for (unsigned d = 0; d != paddingLower.size(); ++d)
    t = pad(t, paddingLower[d], paddingUpper[d], d, type);
  return t;
}

} // namespace popops
