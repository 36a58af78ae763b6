// What performance estimators see of a vertex.
#include "graph/FieldSlot.hpp"
#include "graph/GraphData.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/Values.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <optional>

namespace ipumodel {

using Bytes = std::vector<std::byte>; // device format

struct FieldData {
  FieldInfo info;
  std::size_t size = 0;
  std::optional<Bytes> value;                    // of a scalar or vector, if it has one
  std::vector<std::size_t> innerSizes;           // of a list of vectors
  std::vector<std::optional<Bytes>> innerValues; // the same number
};

namespace {

// What the elements are before anything runs, if all of them are constants.
std::optional<Bytes> constantsOf(const GraphData& graph, const View& view) {
  const std::size_t width = sizeOf(view.type);
  Bytes bytes(view.numElements() * width);
  for (const Region& region : regionsOf(view)) {
    const Variable& variable = graph.variables[region.var.value];
    if (variable.kind != VariableKind::Constant)
      return std::nullopt;
    std::copy_n(variable.initial.data() + region.begin * width, region.count * width,
                bytes.data() + region.position * width);
  }
  return bytes;
}

FieldData introspect(const GraphData& graph, const Vertex& vertex, unsigned field) {
  FieldData data;
  data.info = vertex.type->fields[field];
  const bool isList = data.info.rank == FieldRank::VectorList;
  data.size = data.info.rank == FieldRank::Scalar ? 1 : sizeOfField(vertex, field).value_or(0);
  data.innerSizes.assign(isList ? data.size : 0, 0);
  data.innerValues.resize(data.innerSizes.size());
  const auto setInner = [&](std::size_t i, const View& view) {
    data.innerSizes.at(i) = view.numElements();
    data.innerValues.at(i) = constantsOf(graph, view);
  };
  for (const Connection& connection : vertex.connections) {
    if (connection.field != field)
      continue;
    const View& view = connection.view;
    if (!isList && !connection.element)
      data.value = constantsOf(graph, view);
    else if (isList && connection.element)
      setInner(*connection.element, view);
    else if (isList && view.shape.size() == 2)
      for (std::size_t i = 0; i < view.shape[0]; ++i)
        setInner(i, view.index(i));
  }
  for (const FieldValue& value : vertex.values) {
    if (value.field != field)
      continue;
    if (!value.element) {
      data.value = value.bytes;
    } else if (isList) {
      data.innerSizes.at(*value.element) = value.bytes.size() / sizeOf(data.info.elementType);
      data.innerValues.at(*value.element) = value.bytes;
    }
  }
  return data;
}

poplar::layout::Vector vectorLayout(PointerLayout layout) {
  using poplar::layout::Vector;
  switch (layout) {
  case PointerLayout::Span:
    return Vector::Span;
  case PointerLayout::ShortSpan:
    return Vector::ShortSpan;
  case PointerLayout::OnePtr:
  case PointerLayout::CompactPtr: // a plain pointer on a machine that cannot scale it
    return Vector::OnePtr;
  case PointerLayout::ScaledPtr32:
    return Vector::ScaledPtr32;
  case PointerLayout::ScaledPtr64:
    return Vector::ScaledPtr64;
  case PointerLayout::ScaledPtr128:
    return Vector::ScaledPtr128;
  default:
    return Vector::NotAVector;
  }
}

poplar::layout::VectorList listLayout(PointerLayout layout) {
  using poplar::layout::VectorList;
  switch (layout) {
  case PointerLayout::OnePtr:
    return VectorList::OnePtr;
  case PointerLayout::ScaledPtr32:
    return VectorList::ScaledPtr32;
  case PointerLayout::ScaledPtr64:
    return VectorList::ScaledPtr64;
  case PointerLayout::ScaledPtr128:
    return VectorList::ScaledPtr128;
  case PointerLayout::DeltaN:
  case PointerLayout::CompactDeltaN:
    return VectorList::DeltaN;
  case PointerLayout::DeltaNElements:
    return VectorList::DeltaNElements;
  default:
    return VectorList::NotAVector;
  }
}

} // namespace
} // namespace ipumodel

namespace poplar {

unsigned FieldData::rank() const {
  switch (data_->info.rank) {
  case ipumodel::FieldRank::Scalar:
    return 0;
  case ipumodel::FieldRank::Vector:
    return 1;
  case ipumodel::FieldRank::VectorList:
    return 2;
  }
  return 0;
}

std::size_t FieldData::size() const {
  return data_->size;
}

std::size_t FieldData::getSizeAtIndex(std::size_t i) const {
  if (i >= data_->size)
    throw index_error(data_->info.name, i);
  return data_->info.rank == ipumodel::FieldRank::VectorList ? data_->innerSizes[i] : 1;
}

std::string FieldData::name() const {
  return data_->info.name;
}

namespace {

void readValue(const ipumodel::FieldInfo& info, const std::optional<ipumodel::Bytes>& bytes,
               void* values, const TypeTraits& traits, std::size_t n) {
  if (!bytes || info.elementType == Type() ||
      bytes->size() < n * ipumodel::sizeOf(info.elementType))
    throw poplar_error("field '" + info.name + "' has no initial value");
  ipumodel::toHost(bytes->data(), info.elementType, n, values, traits);
}

} // namespace

void FieldData::read(const Target&, void* values, const TypeTraits& traits, std::size_t n) const {
  readValue(data_->info, data_->value, values, traits, n);
}

void FieldData::readAtIndex(const Target&, std::size_t i, void* values,
                            const TypeTraits& traits) const {
  readValue(data_->info, data_->innerValues.at(i), values, traits, data_->innerSizes[i]);
}

layout::Vector FieldData::getProfilerVectorLayout(std::size_t nestingLevel) const {
  // The outer level of a list of vectors has a list layout; the vectors are one level down.
  const bool isList = data_->info.rank == ipumodel::FieldRank::VectorList;
  if (isList && nestingLevel == 0)
    return ipumodel::vectorLayout(data_->info.outerLayout);
  return ipumodel::vectorLayout(data_->info.innerLayout);
}

layout::VectorList FieldData::getProfilerVectorListLayout() const {
  return ipumodel::listLayout(data_->info.outerLayout);
}

FieldData VertexIntrospector::getFieldInfo(StringRef name) const {
  const ipumodel::Vertex& vertex = graph_->vertices[vertex_];
  const auto field = ipumodel::findField(*vertex.type, name.cloneAsString());
  if (!field)
    throw unknown_field(vertex.type->name, name);
  return FieldData(
      std::make_shared<const ipumodel::FieldData>(ipumodel::introspect(*graph_, vertex, *field)));
}

namespace layout {

std::string to_string(const Vector layout) {
  switch (layout) {
  case Vector::NotAVector:
    return "NotAVector";
  case Vector::Span:
    return "Span";
  case Vector::ShortSpan:
    return "ShortSpan";
  case Vector::OnePtr:
    return "OnePtr";
  case Vector::ScaledPtr32:
    return "ScaledPtr32";
  case Vector::ScaledPtr64:
    return "ScaledPtr64";
  case Vector::ScaledPtr128:
    return "ScaledPtr128";
  }
  throw poplar_error("unknown vector layout");
}

std::string to_string(const VectorList layout) {
  switch (layout) {
  case VectorList::NotAVector:
    return "NotAVector";
  case VectorList::OnePtr:
    return "OnePtr";
  case VectorList::ScaledPtr32:
    return "ScaledPtr32";
  case VectorList::ScaledPtr64:
    return "ScaledPtr64";
  case VectorList::ScaledPtr128:
    return "ScaledPtr128";
  case VectorList::DeltaN:
    return "DeltaN";
  case VectorList::DeltaNElements:
    return "DeltaNElements";
  }
  throw poplar_error("unknown vector list layout");
}

std::ostream& operator<<(std::ostream& os, const Vector layout) {
  return os << to_string(layout);
}
std::ostream& operator<<(std::ostream& os, const VectorList layout) {
  return os << to_string(layout);
}

} // namespace layout
} // namespace poplar
