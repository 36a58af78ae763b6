#include "graph/FieldLimits.hpp"

#include "graph/FieldSlot.hpp"

#include <poplar/exceptions.hpp>

#include <limits>

namespace ipumodel {
namespace {

constexpr std::size_t bits(unsigned n) {
  return (std::size_t{1} << n) - 1;
}

// A SHORT_SPAN has 11 bits beside an address of 21. A vector of a list has 14 bits beside an offset
// of 18 in DELTAN, and 12 beside one of 20 in DELTANELEMENTS.
std::size_t maxCount(PointerLayout layout) {
  switch (layout) {
  case PointerLayout::ShortSpan:
    return bits(11);
  case PointerLayout::DeltaN:
  case PointerLayout::CompactDeltaN:
    return bits(14);
  case PointerLayout::DeltaNElements:
    return bits(12);
  default:
    return bits(32);
  }
}

const char* layoutName(PointerLayout layout) {
  switch (layout) {
  case PointerLayout::ShortSpan:
    return "SHORT_SPAN";
  case PointerLayout::DeltaN:
    return "DELTAN";
  case PointerLayout::CompactDeltaN:
    return "COMPACT_DELTAN";
  case PointerLayout::DeltaNElements:
    return "DELTANELEMENTS";
  default:
    return "its layout";
  }
}

bool isList(PointerLayout layout) {
  return layout == PointerLayout::DeltaN || layout == PointerLayout::CompactDeltaN ||
         layout == PointerLayout::DeltaNElements;
}

// The layout that says how many elements a dimension has. Lists count their vectors in a word.
PointerLayout layoutOf(const FieldInfo& field, unsigned dim) {
  if (field.rank != FieldRank::VectorList)
    return field.innerLayout;
  if (dim == 0)
    return isList(field.outerLayout) ? PointerLayout::Span : field.outerLayout;
  return isList(field.outerLayout) ? field.outerLayout : field.innerLayout;
}

void requireCountable(const GraphData& graph, VertexId id, unsigned f, unsigned dim,
                      std::size_t size) {
  const FieldInfo& field = graph.vertices[id.value].type->fields[f];
  if (size <= maxFieldDim(field, dim))
    return;
  throw poplar::graph_connection_error(
      "field '" + field.name + "' of " + describeVertex(graph, id) + " has " +
      (dim == 1 ? "a vector of " : "") + std::to_string(size) + " elements; " +
      layoutName(layoutOf(field, dim)) + " counts at most " +
      std::to_string(maxFieldDim(field, dim)));
}

} // namespace

std::size_t maxFieldDim(const FieldInfo& field, unsigned dim) {
  return maxCount(layoutOf(field, dim));
}

void requireCountable(const GraphData& graph, VertexId id) {
  const Vertex& vertex = graph.vertices[id.value];
  const auto isLimited = [&](unsigned f, unsigned dim) {
    const FieldInfo& field = vertex.type->fields[f];
    return field.rank != FieldRank::Scalar && maxFieldDim(field, dim) < bits(32);
  };
  for (unsigned f = 0; f < vertex.type->fields.size(); ++f)
    if (isLimited(f, 0))
      requireCountable(graph, id, f, 0, sizeOfField(vertex, f).value_or(0));
  for (const Connection& c : vertex.connections) {
    if (vertex.type->fields[c.field].rank != FieldRank::VectorList || !isLimited(c.field, 1))
      continue;
    if (c.element)
      requireCountable(graph, id, c.field, 1, c.view.numElements());
    else if (c.view.shape.size() == 2)
      requireCountable(graph, id, c.field, 1, c.view.shape[1]);
  }
}

} // namespace ipumodel
