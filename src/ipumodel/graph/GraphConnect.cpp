// Fields of vertices: what they are connected to, their sizes and values.
#include "graph/Access.hpp"
#include "graph/FieldLimits.hpp"
#include "graph/FieldSlot.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/Values.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace poplar {
namespace {

using ipumodel::Connection;
using ipumodel::Dims;
using ipumodel::FieldDirection;
using ipumodel::FieldInfo;
using ipumodel::FieldRank;
using ipumodel::FieldSlot;
using ipumodel::View;
using ipumodel::viewOf;

// How many indices the tensor for a field, or for one element of it, has.
unsigned rankOf(const FieldSlot& slot) {
  const unsigned rank = slot.info().rank == FieldRank::Scalar   ? 0
                        : slot.info().rank == FieldRank::Vector ? 1
                                                                : 2;
  return rank - (slot.element ? 1 : 0);
}

// Such as Vector<Input<float>>: an element of a tensor for each edge.
bool isOfScalarEdges(const FieldSlot& slot) {
  return slot.info().rank == FieldRank::VectorList && !slot.element &&
         slot.info().innerLayout == ipumodel::PointerLayout::None;
}

void requireOwn(const ipumodel::GraphData& graph, const FieldSlot& slot, const Tensor& t) {
  if (!isOfGraph(graph, t))
    throw graph_connection_error(describe(graph, slot) +
                                 " cannot be connected: " + ipumodel::notOfGraph(t));
}

void requireEdge(const ipumodel::GraphData& graph, const FieldSlot& slot) {
  if (slot.info().direction == FieldDirection::State)
    throw graph_connection_error(describe(graph, slot) +
                                 " is neither input nor output; it can only be given a value");
}

void requireUnconnected(const ipumodel::GraphData& graph, const FieldSlot& slot) {
  for (const Connection& c : slot.vertex->connections)
    if (c.field == slot.index && (!c.element || !slot.element || c.element == slot.element))
      throw graph_connection_error(describe(graph, slot) + " is already connected");
}

void requireFit(const ipumodel::GraphData& graph, const FieldSlot& slot, const Tensor& t) {
  const FieldInfo& field = slot.info();
  if (t.elementType() != field.elementType)
    throw type_error(describe(graph, slot) + " has elements of type " +
                     field.elementType.toString() + ", but tensor " + t.getVarStr() + " of shape " +
                     t.shapeToString() + " has elements of type " + t.elementType().toString());
  const unsigned rank = rankOf(slot);
  const bool fits = rank == 0   ? t.numElements() == 1 && t.rank() <= 1
                    : rank == 1 ? t.rank() <= 1
                                : t.rank() == rank;
  if (!fits)
    throw graph_connection_error(describe(graph, slot) + " takes a tensor of rank " +
                                 std::to_string(rank) + ", but tensor " + t.getVarStr() +
                                 " has shape " + t.shapeToString());
}

// A field of quarters takes format and scale along from what it is connected to.
void connectMetadata(const FieldSlot& slot, const Tensor& t) {
  if (slot.info().elementType != QUARTER || t.numElements() == 0)
    return;
  const unsigned index = slot.index + 1;
  const Tensor own = t.getMetadata();
  const View& metadata = viewOf(own);
  for (const Connection& c : slot.vertex->connections)
    if (c.field == index) {
      if (!sameElements(c.view, metadata))
        throw graph_connection_error("field '" + slot.info().name +
                                     "' would have quarters of two formats; tensor " +
                                     t.getVarStr() + " is of another than the others");
      return;
    }
  slot.vertex->connections.push_back({index, std::nullopt, metadata});
}

// Edges are kept flat; a list of vectors keeps its two dimensions.
View edgeView(const Tensor& t, unsigned rank) {
  const View& view = viewOf(t);
  if (view.shape.size() == rank)
    return view;
  if (rank == 0)
    return view.removeDim(0);
  return view.insertDim(0);
}

} // namespace

void Graph::connect(FieldRef field, const Tensor& given) {
  const FieldSlot slot = resolve(*data_, field);
  requireOwn(*data_, slot, given);
  const Tensor tensor = isOfScalarEdges(slot) && given.rank() == 1 ? given.expand({1}) : given;
  requireEdge(*data_, slot);
  requireUnconnected(*data_, slot);
  requireFit(*data_, slot, tensor);
  if (!slot.element && slot.info().rank != FieldRank::Scalar) {
    const auto size = slot.vertex->fieldSizes.find(slot.index);
    const std::size_t outer = tensor.rank() == 0 ? 1 : tensor.dim(0);
    if (size != slot.vertex->fieldSizes.end() && size->second != outer)
      throw graph_connection_error(describe(*data_, slot) + " has size " +
                                   std::to_string(size->second) + ", but tensor " +
                                   tensor.getVarStr() + " has shape " + tensor.shapeToString());
  }
  slot.vertex->connections.push_back({slot.index, slot.element, edgeView(tensor, rankOf(slot))});
  connectMetadata(slot, tensor);
}

void Graph::connect(FieldRef field, ArrayRef<Tensor> tensors) {
  FieldSlot slot = resolve(*data_, field);
  requireEdge(*data_, slot);
  requireUnconnected(*data_, slot);
  for (const Tensor& t : tensors)
    requireOwn(*data_, slot, t);
  if (rankOf(slot) == 0)
    throw graph_connection_error(describe(*data_, slot) +
                                 " is a scalar; it cannot be connected to several tensors");
  if (rankOf(slot) == 1) {
    // A vector from parts: what the parts are is forgotten, so it becomes one edge.
    std::vector<Tensor> parts;
    for (const Tensor& t : tensors) {
      requireFit(*data_, slot, t);
      parts.push_back(t.rank() == 0 ? t.expand({0}) : t);
    }
    if (!parts.empty())
      slot.vertex->connections.push_back({slot.index, slot.element, viewOf(concat(parts))});
    for (const Tensor& part : parts)
      connectMetadata(slot, part);
    return;
  }
  slot.vertex->fieldSizes[slot.index] = tensors.size();
  slot.vertex->connections.reserve(slot.vertex->connections.size() + tensors.size());
  for (unsigned i = 0; i < tensors.size(); ++i) {
    slot.element = i;
    requireFit(*data_, slot, tensors[i]);
    slot.vertex->connections.push_back({slot.index, i, edgeView(tensors[i], 1)});
    connectMetadata(slot, tensors[i]);
  }
}

void Graph::connectValue(const FieldRef& field, const void* value, const TypeTraits& traits) {
  setInitialValueFrom(field, value, traits, 1);
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType,
                           ArrayRef<ConnectionDesc> connections) {
  const VertexRef v = addVertex(cs, vertexType);
  data_->vertices.back().connections.reserve(connections.size());
  for (const ConnectionDesc& desc : connections) {
    const FieldRef field = desc.isIndexed_ ? v[desc.field_][desc.index_] : v[desc.field_];
    if (desc.isValue_)
      setInitialValueFrom(field, desc.bytes_.data(), desc.traits_, desc.numValues_);
    else if (desc.isArray_)
      connect(field, desc.tensors_);
    else
      connect(field, desc.tensors_.front());
  }
  return v;
}

void Graph::setInitialValueFrom(const FieldRef& field, const void* values, const TypeTraits& traits,
                                std::size_t numValues) {
  const FieldSlot slot = resolve(*data_, field);
  const FieldInfo& info = slot.info();
  if (rankOf(slot) == 0 && numValues != 1)
    throw poplar_error(std::to_string(numValues) + " values given for " + describe(*data_, slot) +
                       ", which holds one");
  std::vector<std::byte> bytes = ipumodel::toDevice(values, traits, numValues, info.elementType);
  if (info.direction == FieldDirection::State) {
    auto& stored = slot.vertex->values;
    const auto old = std::find_if(stored.begin(), stored.end(), [&](const auto& v) {
      return v.field == slot.index && v.element == slot.element;
    });
    if (old != stored.end())
      old->bytes = std::move(bytes);
    else
      stored.push_back({slot.index, slot.element, std::move(bytes)});
    return;
  }
  if (info.direction != FieldDirection::Input)
    throw graph_connection_error(describe(*data_, slot) +
                                 " is an output; it cannot be given a value");
  // An input with a value is an input from a constant on the vertex's own tile.
  requireUnconnected(*data_, slot);
  ipumodel::Variable constant;
  constant.name = info.name;
  constant.type = info.elementType;
  constant.numElements = numValues;
  constant.kind = ipumodel::VariableKind::Constant;
  constant.initial = std::move(bytes);
  constant.owner = slot.id;
  if (slot.vertex->tile.valid())
    constant.tiles.assign(0, numValues, slot.vertex->tile);
  const ipumodel::VarId var{static_cast<std::uint32_t>(data_->variables.size())};
  data_->variables.push_back(std::move(constant));
  const Dims shape = rankOf(slot) == 0 ? Dims{} : Dims{numValues};
  slot.vertex->connections.push_back(
      {slot.index, slot.element, View::whole(var, info.elementType, shape)});
}

void Graph::setInitialValueHalf(FieldRef field, std::uint16_t value) {
  setInitialValueHalf(field, ArrayRef<std::uint16_t>(&value, 1));
}
void Graph::setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values) {
  const TypeTraits half{sizeof(std::uint16_t), alignof(std::uint16_t), true, true};
  setInitialValueFrom(field, values.data(), half, values.size());
}

void Graph::setFieldSize(FieldRef field, std::size_t size) {
  const FieldSlot slot = resolve(*data_, field);
  if (rankOf(slot) == 0)
    throw poplar_error(describe(*data_, slot) + " is a scalar; it has no size to set");
  if (slot.element) // the size of one vector of a list follows from what it is connected to
    return;
  slot.vertex->fieldSizes[slot.index] = size;
}

std::size_t Graph::getFieldSize(FieldRef field) const {
  const FieldSlot slot = resolve(*data_, field);
  if (slot.element) {
    for (const Connection& c : slot.vertex->connections)
      if (c.field == slot.index && c.element == slot.element)
        return c.view.numElements();
    throw no_size_specified(slot.info().name, slot.vertex->type->name);
  }
  const auto size = sizeOfField(*slot.vertex, slot.index);
  if (!size)
    throw no_size_specified(slot.info().name, slot.vertex->type->name);
  return *size;
}

namespace {

const FieldInfo& fieldOfType(const ipumodel::GraphData& graph, StringRef vertexName,
                             StringRef fieldName) {
  const ipumodel::VertexType* type = graph.codelets.find(vertexName.cloneAsString());
  if (!type)
    throw unknown_vertex_type(vertexName);
  const auto field = ipumodel::findField(*type, fieldName.cloneAsString());
  if (!field)
    throw unknown_field(type->name, fieldName);
  return type->fields[*field];
}

} // namespace

std::size_t Graph::getMaxFieldDim(StringRef vertexName, StringRef fieldName,
                                  unsigned dimIndex) const {
  const FieldInfo& field = fieldOfType(*data_, vertexName, fieldName);
  const unsigned rank = field.rank == FieldRank::Scalar   ? 0
                        : field.rank == FieldRank::Vector ? 1
                                                          : 2;
  if (dimIndex >= rank)
    throw index_error(vertexName.cloneAsString() + "." + fieldName, dimIndex);
  return ipumodel::maxFieldDim(field, dimIndex);
}

double Graph::getMaxVertexFieldValue(StringRef vertexName, StringRef fieldName) const {
  const FieldInfo& field = fieldOfType(*data_, vertexName, fieldName);
  return getTarget().getTypeLimitsMaxAs<double>(field.elementType);
}

} // namespace poplar
