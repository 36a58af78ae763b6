#include "popops/ElementWiseVertices.hpp"

#include <poputil/Broadcast.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace popops {
namespace {

using poplar::Interval;
using poplar::Tensor;
using Regions = std::vector<Interval>;

// Element j of the region reads (phase + j) / repeat, modulo the number of elements, of `elements`.
struct Compact {
  Tensor elements;
  unsigned phase;
};

Compact compactOperand(const Operand& operand, const Interval& region) {
  const auto period = operand.pattern.period, repeat = operand.pattern.repeat;
  const auto first = region.begin() / repeat, last = (region.end() - 1) / repeat;
  if (last - first + 1 >= period)
    return {operand.compact, static_cast<unsigned>(region.begin() % (period * repeat))};
  const auto begin = first % period, end = last % period + 1;
  const auto phase = static_cast<unsigned>(region.begin() % repeat);
  if (begin < end)
    return {operand.compact.slice(begin, end), phase};
  return {poplar::concat(operand.compact.slice(begin, period), operand.compact.slice(0, end)),
          phase};
}

Tensor gather(const Tensor& flat, const Regions& regions) {
  return regions.size() == 1 ? flat.slice(regions[0]) : poplar::concat(flat.slices(regions));
}

bool isScalar(const Operand& operand, std::size_t numElements) {
  return operand.elements.numElements() == 1 && numElements != 1;
}

// Views of more regions than this keep their order: to sort them takes longer than it saves.
constexpr std::size_t kMaxReordered = 1u << 14;

bool isInMemoryOrder(const Tensor& t) {
  return t.rank() < 2 || t.flatten().isContiguous();
}

// The dimensions of a tensor in the order of memory, as far as its first elements show.
std::vector<unsigned> memoryOrder(const Tensor& t) {
  std::vector<unsigned> outer(t.rank()), inner; // inner: contiguous so far
  std::iota(outer.begin(), outer.end(), 0u);
  const auto isNext = [&](unsigned d) {
    if (t.dim(d) < 2)
      return false;
    std::vector<std::size_t> begin(t.rank(), 0), end(t.rank(), 1);
    for (auto i : inner)
      end[i] = t.dim(i);
    end[d] = 2;
    auto order = outer;
    order.erase(std::find(order.begin(), order.end(), d));
    order.push_back(d);
    order.insert(order.end(), inner.begin(), inner.end());
    return t.slice(begin, end).dimShuffle(order).flatten().isContiguous();
  };
  for (auto next = outer.end();
       (next = std::find_if(outer.begin(), outer.end(), isNext)) != outer.end();) {
    inner.insert(inner.begin(), *next);
    outer.erase(next);
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

struct Site {
  poplar::Graph& graph;
  const poplar::ComputeSet& cs;
  const Tensor& out; // flat
  const std::string& outField;
  const std::vector<Operand>& operands;
};

// A MultiVertex for one contiguous region, which may be several intervals of the tensor.
poplar::VertexRef addOneRegion(const Site& site, const std::string& name, const Regions& regions,
                               PatternFields patternFields) {
  auto& graph = site.graph;
  const auto v = graph.addVertex(site.cs, name);
  graph.connect(v[site.outField], gather(site.out, regions));
  Compact pattern{Tensor(), 0};
  std::size_t repeat = 1;
  for (const auto& operand : site.operands) {
    if (isScalar(operand, site.out.numElements())) {
      graph.connect(v[operand.field], operand.elements);
    } else if (operand.pattern.period != 0 && regions.size() == 1) {
      pattern = compactOperand(operand, regions[0]);
      repeat = operand.pattern.repeat;
      graph.connect(v[operand.field], pattern.elements);
    } else {
      graph.connect(v[operand.field], gather(operand.elements, regions));
    }
  }
  if (patternFields == PatternFields::Present) {
    graph.setInitialValue(v["phase"], pattern.phase);
    graph.setInitialValue(v["repeat"], static_cast<unsigned>(repeat));
  }
  return v;
}

// A Vertex for one worker's share of the regions.
poplar::VertexRef addManyRegions(const Site& site, const std::string& name,
                                 const std::vector<Regions>& share) {
  auto& graph = site.graph;
  const auto v = graph.addVertex(site.cs, name);
  graph.connect(v[site.outField], site.out.slices(share));
  for (const auto& operand : site.operands)
    graph.connect(v[operand.field], isScalar(operand, site.out.numElements())
                                        ? std::vector<Tensor>(share.size(), operand.elements)
                                        : operand.elements.slices(share));
  return v;
}

} // namespace

Operand makeOperand(const std::string& field, const Tensor& t,
                    const std::vector<std::size_t>& outputShape) {
  Operand operand{field, t, {}, t.flatten()};
  if (t.numElements() == 1) {
    operand.elements = t.flatten();
    return operand;
  }
  auto shape = t.shape();
  shape.insert(shape.begin(), outputShape.size() - shape.size(), 1);
  poputil::broadcastToMatch(operand.elements, outputShape);
  if (shape == outputShape)
    return operand;
  // A pattern is repeated dimensions, then matching ones, then repeated ones. Dimensions of 1 are
  // both.
  std::size_t d = shape.size(), repeat = 1, period = 1;
  while (d > 0 && (shape[d - 1] == 1))
    repeat *= outputShape[--d];
  while (d > 0 && shape[d - 1] == outputShape[d - 1])
    period *= outputShape[--d];
  if (std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(d),
                  [](std::size_t n) { return n == 1; }))
    operand.pattern = {period, repeat};
  return operand;
}

void addElementWiseVertices(poplar::Graph& graph, const poplar::ComputeSet& cs, const Tensor& out,
                            const std::string& outField, std::vector<Operand> operands,
                            const VertexNames& names, PatternFields patternFields,
                            const std::function<void(poplar::VertexRef)>& setFields) {
  if (!out.isParallelWriteable())
    throw poputil::poplibs_error("Element-wise output of shape " + out.shapeToString() +
                                 " contains constants or the same element twice");
  const auto numElements = out.numElements();
  bool patterns = false;
  for (auto& operand : operands) {
    if (patternFields == PatternFields::Absent)
      operand.pattern = {};
    patterns |= operand.pattern.period != 0;
  }
  // Patterns count elements in the tensor's own order; otherwise that of memory makes longer
  // regions.
  const bool reorder = !patterns && !isInMemoryOrder(out);
  const auto order = reorder ? memoryOrder(out) : std::vector<unsigned>();
  auto flat = (reorder ? out.dimShuffle(order) : out).flatten();
  std::vector<Tensor*> followers;
  for (auto& operand : operands) {
    if (isScalar(operand, numElements))
      continue;
    operand.elements = (reorder ? operand.elements.dimShuffle(order) : operand.elements).flatten();
    followers.push_back(&operand.elements);
  }
  if (reorder && flat.getContiguousRegions().size() - 1 < kMaxReordered)
    graph.reorderToSimplify(&flat, followers);

  const auto& target = graph.getTarget();
  const auto mapping = graph.getTileMapping(flat);
  const auto grain = target.getVectorWidth(out.elementType());
  const bool hasManyRegions = graph.hasCodelet(names.manyRegions);
  const Site site{graph, cs, flat, outField, operands};
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto sequences = graph.getSortedContiguousRegions(flat, mapping[tile]);
    const auto finish = [&](const poplar::VertexRef& v) {
      graph.setTileMapping(v, tile);
      setFields(v);
    };
    if (sequences.size() > 1 && hasManyRegions) {
      for (const auto& share :
           poputil::splitRegionsBetweenWorkers(target, sequences, grain, 2 * grain))
        finish(addManyRegions(site, names.manyRegions, share));
    } else {
      for (const auto& regions : sequences)
        finish(addOneRegion(site, names.oneRegion, regions, patternFields));
    }
  }
}

} // namespace popops
