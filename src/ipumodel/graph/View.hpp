// A tensor is a view: a shape, and strided boxes of variables that together fill it.
//
// Every view operation but reshape only moves boxes about: slice intersects, concat shifts, dimShuffle
// permutes, reverse flips strides, broadcast repeats or takes stride 0. Reshape falls back to runs (the
// elements in row-major order) and cuts them into boxes of the new shape. So views alias and never copy,
// and their cost grows with the number of boxes, not of elements.
#pragma once

#include "graph/Ids.hpp"

#include <poplar/Type.hpp>

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ipumodel {

using Dims = boost::container::small_vector<std::size_t, 4>;
using Strides = boost::container::small_vector<std::int64_t, 4>;

// Element (origin + i) of the view, 0 <= i < extent, is element offset + sum_d i[d]*stride[d] of var.
struct Box {
  Dims origin;
  Dims extent;
  VarId var;
  std::int64_t offset = 0; // in elements
  Strides stride;          // in elements; 0 where broadcast, negative where reversed
};

// `count` elements of a variable in the view's row-major order.
struct Run {
  VarId var;
  std::int64_t offset = 0;
  std::size_t count = 0;
  std::int64_t stride = 1;
};

struct View {
  poplar::Type type;
  Dims shape;
  std::vector<Box> boxes; // disjoint in index space, covering the shape; empty only for 0 elements
  int orderedBy = -1;     // dimension along which begins and ends of boxes never go back, if known

  std::size_t numElements() const;

  // A whole variable of that shape.
  static View whole(VarId var, poplar::Type type, const Dims& shape);

  View slice(const Dims& begin, const Dims& end) const;
  View index(std::size_t i) const; // entry i of dimension 0, without that dimension
  View dimShuffle(const std::vector<unsigned>& permutation) const;
  View reverse(unsigned dim) const;
  View subSample(std::size_t stride, unsigned dim) const;
  View broadcast(std::size_t times, unsigned dim) const;
  View insertDim(unsigned dim) const;  // extent 1
  View removeDim(unsigned dim) const;  // REQUIRES: extent 1
  View reshape(const Dims& newShape) const;
  static View concat(const std::vector<View>& parts, unsigned dim);

  // Joins boxes that continue each other.
  void coalesce();

  // The elements in row-major order, as few runs as possible.
  std::vector<Run> runs() const;
};

} // namespace ipumodel
