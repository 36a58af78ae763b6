// Finding the field that a FieldRef means.
#pragma once

#include "graph/GraphData.hpp"

#include <poplar/GraphElements.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace ipumodel {

struct FieldSlot {
  VertexId id;
  Vertex* vertex;
  unsigned index; // into VertexType::fields
  std::optional<unsigned> element;

  const FieldInfo& info() const { return vertex->type->fields[index]; }
};

// The field of that name, if the type has it.
std::optional<unsigned> findField(const VertexType& type, std::string_view name);

// Throws unknown_field, and index_error for an element beyond the field's set size or of a scalar.
FieldSlot resolve(GraphData& graph, const poplar::FieldRef& field);

// "field 'in[2]' of vertex 'Sum' (number 7 of compute set 'reduce')", for messages.
std::string describe(const GraphData& graph, const FieldSlot& slot);
std::string describeVertex(const GraphData& graph, VertexId id);

// What setFieldSize and the connections make of the field's outermost size; nothing if neither has
// been done.
std::optional<std::size_t> sizeOfField(const Vertex& vertex, unsigned field);

} // namespace ipumodel
