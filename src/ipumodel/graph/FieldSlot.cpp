#include "graph/FieldSlot.hpp"

#include "graph/TypeInfo.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>

namespace ipumodel {

std::optional<unsigned> findField(const VertexType& type, std::string_view name) {
  for (unsigned f = 0; f < type.fields.size(); ++f)
    if (type.fields[f].name == name)
      return f;
  return std::nullopt;
}

FieldSlot resolve(GraphData& graph, const poplar::FieldRef& field) {
  const unsigned id = field.getVertex().getId();
  if (id >= graph.vertices.size())
    throw poplar::poplar_error("field '" + field.getName() +
                               "' of a vertex that is not in the graph");
  Vertex& vertex = graph.vertices[id];
  const std::optional<unsigned> index = findField(*vertex.type, field.getName());
  if (!index)
    throw poplar::unknown_field(vertex.type->name, field.getName());
  FieldSlot slot{VertexId{id}, &vertex, *index, std::nullopt};
  if (!field.isIndexed())
    return slot;
  slot.element = static_cast<unsigned>(field.getIndex());
  const auto size = vertex.fieldSizes.find(*index);
  if (slot.info().rank == FieldRank::Scalar ||
      (size != vertex.fieldSizes.end() && field.getIndex() >= size->second))
    throw poplar::index_error(vertex.type->name + "." + field.getName(), field.getIndex());
  return slot;
}

std::string describeVertex(const GraphData& graph, VertexId id) {
  const Vertex& vertex = graph.vertices[id.value];
  return "vertex '" + vertex.type->name + "' (number " + std::to_string(id.value) +
         ", in compute set '" + graph.computeSets[vertex.computeSet.value].name + "')";
}

std::string describe(const GraphData& graph, const FieldSlot& slot) {
  const std::string element = slot.element ? "[" + std::to_string(*slot.element) + "]" : "";
  return "field '" + slot.info().name + element + "' of " + describeVertex(graph, slot.id);
}

std::optional<std::size_t> sizeOfField(const Vertex& vertex, unsigned field) {
  if (const auto size = vertex.fieldSizes.find(field); size != vertex.fieldSizes.end())
    return size->second;
  const FieldInfo& info = vertex.type->fields[field];
  std::optional<std::size_t> out;
  const auto atLeast = [&](std::size_t n) { out = std::max(out.value_or(0), n); };
  for (const Connection& connection : vertex.connections) {
    if (connection.field != field)
      continue;
    if (connection.element)
      atLeast(*connection.element + std::size_t{1});
    else if (info.rank == FieldRank::VectorList)
      atLeast(connection.view.shape.empty() ? 1 : connection.view.shape[0]);
    else
      atLeast(connection.view.numElements());
  }
  for (const FieldValue& value : vertex.values) {
    if (value.field != field)
      continue;
    atLeast(value.element ? *value.element + std::size_t{1}
                          : value.bytes.size() / sizeOf(info.elementType));
  }
  return out;
}

} // namespace ipumodel
