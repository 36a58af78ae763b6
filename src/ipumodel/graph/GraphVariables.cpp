// Variables, constants and the values they start with.
#include "graph/Access.hpp"
#include "graph/Reshape.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/Values.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <cstring>
#include <numeric>

namespace poplar {
namespace {

using ipumodel::Dims;
using ipumodel::GraphData;
using ipumodel::Variable;
using ipumodel::VariableKind;
using ipumodel::View;

constexpr TypeTraits kHalfTraits = {sizeof(std::uint16_t), alignof(std::uint16_t), true, true};

Tensor addVariableTo(const std::shared_ptr<GraphData>& graph, const Type& type,
                     ArrayRef<std::size_t> shape, VariableKind kind,
                     const DebugContext& debugContext) {
  if (type == Type())
    throw tensor_creation_error("variable '" + debugContext.getPathName() + "' has no type");
  const ipumodel::VarId var{static_cast<std::uint32_t>(graph->variables.size())};
  Variable& variable = graph->variables.emplace_back();
  variable.name = debugContext.getPathName();
  variable.type = type;
  variable.numElements =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  variable.kind = kind;
  if (graph->mapsByItself() && variable.numElements != 0)
    variable.tiles.assign(0, variable.numElements, ipumodel::TileId{0});
  return makeTensor(graph, View::whole(var, type, Dims(shape.begin(), shape.end())));
}

} // namespace

std::string toString(const VariableMappingMethod& method) {
  return method == VariableMappingMethod::NONE ? "NONE" : "LINEAR";
}
std::ostream& operator<<(std::ostream& os, const VariableMappingMethod& method) {
  return os << toString(method);
}

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape,
                          const DebugContext& debugContext) {
  return addVariableTo(data_, type, shape, VariableKind::Variable, debugContext);
}

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape,
                          VariableMappingMethod mappingMethod, const DebugContext& debugContext) {
  const Tensor t = addVariable(type, shape, debugContext);
  if (mappingMethod == VariableMappingMethod::LINEAR) {
    const std::size_t numTiles = getTarget().getNumTiles();
    const std::size_t perTile = (t.numElements() + numTiles - 1) / numTiles;
    ipumodel::TileMap& tiles = data_->variables.back().tiles;
    for (std::size_t begin = 0; begin < t.numElements(); begin += perTile)
      tiles.assign(
          begin, std::min(begin + perTile, t.numElements()),
          ipumodel::TileId{convertTileToTopLevelGraphTile(static_cast<unsigned>(begin / perTile))});
  }
  return t;
}

Tensor Graph::addConstantFrom(const Type& type, ArrayRef<std::size_t> shape, const void* values,
                              const TypeTraits& traits, std::size_t numValues,
                              const DebugContext& debugContext) {
  const std::size_t numElements =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (numValues != numElements && numValues != 1)
    throw tensor_creation_error("constant '" + debugContext.getPathName() + "' has " +
                                std::to_string(numElements) + " elements but was given " +
                                std::to_string(numValues) + " values");
  return addConstant(type, shape, values, traits, numValues != numElements, debugContext);
}

Tensor Graph::addConstant(const Type& type, ArrayRef<std::size_t> shape, const void* values,
                          const TypeTraits& traits, bool broadcast,
                          const DebugContext& debugContext) {
  Tensor t = addVariableTo(data_, type, shape, VariableKind::Constant, debugContext);
  const std::size_t n = t.numElements();
  std::vector<std::byte> bytes = ipumodel::toDevice(values, traits, broadcast ? 1 : n, type);
  if (broadcast) {
    const std::vector<std::byte> one = std::move(bytes);
    bytes.resize(n * one.size());
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(bytes.data() + i * one.size(), one.data(), one.size());
  }
  data_->variables.back().initial = std::move(bytes);
  return t;
}

Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                              const DebugContext& debugContext) {
  return addConstant(type, shape, static_cast<const void*>(&value), kHalfTraits, true,
                     debugContext);
}
Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape,
                              const std::uint16_t* values, const DebugContext& debugContext) {
  return addConstant(type, shape, static_cast<const void*>(values), kHalfTraits, false,
                     debugContext);
}

Tensor Graph::addReplicationIndexConstant(const DebugContext& debugContext) {
  return addVariableTo(data_, UNSIGNED_INT, {}, VariableKind::ReplicationIndex, debugContext);
}

void Graph::setInitialValueFrom(const Tensor& t, const void* values, const TypeTraits& traits,
                                std::size_t numValues, bool broadcast) {
  const View& view = viewIn(*data_, t, "setInitialValue");
  const std::size_t n = t.numElements();
  if (!broadcast && numValues != n)
    throw poplar_error(std::to_string(numValues) + " initial values given for tensor " +
                       t.getVarStr() + " of " + std::to_string(n) + " elements");
  if (t.containsConstant())
    throw poplar_error("tensor " + t.getVarStr() + " is constant; it cannot be given a value");
  const std::vector<std::byte> bytes =
      ipumodel::toDevice(values, traits, numValues, t.elementType());
  const std::size_t size = ipumodel::sizeOf(t.elementType());
  for (const ipumodel::LinearRun& r : linearRuns(view)) {
    Variable& variable = data_->variables[r.run.var.value];
    variable.initial.resize(variable.numElements * size);
    for (std::size_t i = 0; i < r.run.count; ++i) {
      const auto at =
          static_cast<std::size_t>(r.run.offset + static_cast<std::int64_t>(i) * r.run.stride);
      const std::size_t from = broadcast ? 0 : r.position + i;
      std::memcpy(variable.initial.data() + at * size, bytes.data() + from * size, size);
    }
  }
}

void Graph::setInitialValueHalf(const Tensor& t, std::uint16_t value) {
  setInitialValueFrom(t, &value, kHalfTraits, 1, true);
}
void Graph::setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values) {
  setInitialValueFrom(t, values.data(), kHalfTraits, values.size(), false);
}

Tensor Graph::getVariable(VariableRef v) const {
  if (v.id >= data_->variables.size())
    throw poplar_error("variable " + std::to_string(v.id) + " is not in the graph");
  const Variable& variable = data_->variables[v.id];
  return makeTensor(data_,
                    View::whole(ipumodel::VarId{v.id}, variable.type, {variable.numElements}));
}

bool Graph::isConstant(VariableRef v) const {
  if (v.id >= data_->variables.size())
    throw poplar_error("variable " + std::to_string(v.id) + " is not in the graph");
  return data_->variables[v.id].kind != VariableKind::Variable;
}

} // namespace poplar
