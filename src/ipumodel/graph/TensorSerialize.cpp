// Tensors as a document: their expressions, and the variables these refer to with their tiles.
#include "graph/Access.hpp"
#include "graph/Document.hpp"
#include "graph/SameGraph.hpp"
#include "graph/TypeInfo.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <numeric>
#include <unordered_map>

namespace poplar {
namespace {

using ipumodel::Box;
using ipumodel::GraphData;
using ipumodel::Variable;
using ipumodel::VariableKind;
using ipumodel::VarId;
using ipumodel::View;

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "ipumodel tensors";
constexpr int kVersion = 1;

template <class Range>
Json listJson(const Range& range) {
  return Json(std::vector<typename Range::value_type>(range.begin(), range.end()));
}

// Values are kept of constants only.
Json variableJson(const Variable& variable) {
  Json tiles = Json::array();
  for (const auto& range : variable.tiles.ranges())
    tiles.push_back({range.tile.value, range.begin, range.end});
  Json json = {{"name", variable.name},
               {"type", variable.type.toString().cloneAsString()},
               {"numElements", variable.numElements},
               {"kind", static_cast<unsigned>(variable.kind)},
               {"tiles", std::move(tiles)}};
  if (variable.kind == VariableKind::Constant) {
    Json values = Json::array();
    for (const std::byte value : variable.initial)
      values.push_back(std::to_integer<unsigned>(value));
    json["values"] = std::move(values);
  }
  return json;
}

Json tensorsJson(const GraphData& graph, ArrayRef<Tensor> tensors) {
  Json variables = Json::array(), list = Json::array();
  std::unordered_map<VarId, std::size_t> numberOf;
  for (const Tensor& tensor : tensors) {
    const View& view = viewIn(graph, tensor, "serializeTensors");
    Json boxes = Json::array();
    for (const Box& box : view.boxes) {
      const auto [known, isNew] = numberOf.try_emplace(box.var, numberOf.size());
      if (isNew)
        variables.push_back(variableJson(graph.variables[box.var.value]));
      boxes.push_back({{"variable", known->second},
                       {"origin", listJson(box.origin)},
                       {"extent", listJson(box.extent)},
                       {"offset", box.offset},
                       {"stride", listJson(box.stride)}});
    }
    list.push_back({{"type", view.type.toString().cloneAsString()},
                    {"shape", listJson(view.shape)},
                    {"boxes", std::move(boxes)}});
  }
  return {{"format", kFormat},
          {"version", kVersion},
          {"variables", std::move(variables)},
          {"tensors", std::move(list)}};
}

void require(bool condition, const char* what) {
  if (!condition)
    throw poplar_error(std::string("serialised tensors cannot be read: ") + what);
}

Type typeNamed(const std::string& name) {
  for (const Type& type :
       {BOOL, CHAR, UNSIGNED_CHAR, SIGNED_CHAR, UNSIGNED_SHORT, SHORT, UNSIGNED_INT, INT,
        UNSIGNED_LONG, LONG, UNSIGNED_LONGLONG, LONGLONG, QUARTER, HALF, FLOAT})
    if (type.toString() == name)
      return type;
  throw type_error("serialised tensors are of the unknown type '" + name + "'");
}

template <class List>
List listFrom(const Json& json) {
  const auto values = json.get<std::vector<typename List::value_type>>();
  return List(values.begin(), values.end());
}

template <class List>
std::size_t product(const List& list) {
  return std::accumulate(list.begin(), list.end(), std::size_t{1}, std::multiplies<>());
}

Variable variableFrom(const Json& json, unsigned numTiles) {
  Variable variable;
  variable.name = json.at("name").get<std::string>();
  variable.type = typeNamed(json.at("type").get<std::string>());
  variable.numElements = json.at("numElements").get<std::size_t>();
  const auto kind = json.at("kind").get<unsigned>();
  require(kind <= static_cast<unsigned>(VariableKind::ReplicationIndex), "a variable has no kind");
  variable.kind = static_cast<VariableKind>(kind);
  for (const Json& range : json.at("tiles")) {
    const auto tile = range.at(0).get<unsigned>();
    const auto begin = range.at(1).get<std::size_t>(), end = range.at(2).get<std::size_t>();
    require(begin <= end && end <= variable.numElements, "a mapping leaves its variable");
    if (tile >= numTiles)
      throw invalid_tile_mapping("serialised variable '" + variable.name + "' is on tile " +
                                 std::to_string(tile) + " of " + std::to_string(numTiles));
    variable.tiles.assign(begin, end, ipumodel::TileId{tile});
  }
  if (variable.kind == VariableKind::Constant) {
    for (const auto value : json.at("values").get<std::vector<std::uint8_t>>())
      variable.initial.push_back(std::byte{value});
    require(variable.initial.size() == variable.numElements * ipumodel::sizeOf(variable.type),
            "a constant has too few or too many values");
  }
  return variable;
}

bool isInside(const Box& box, const View& view, const Variable& variable) {
  const std::size_t rank = view.shape.size();
  if (box.origin.size() != rank || box.extent.size() != rank || box.stride.size() != rank ||
      ipumodel::sizeOf(variable.type) != ipumodel::sizeOf(view.type))
    return false;
  std::int64_t first = box.offset, last = box.offset;
  for (std::size_t d = 0; d != rank; ++d) {
    if (box.extent[d] == 0 || box.origin[d] + box.extent[d] > view.shape[d])
      return false;
    const std::int64_t reach = box.stride[d] * static_cast<std::int64_t>(box.extent[d] - 1);
    (reach < 0 ? first : last) += reach;
  }
  return first >= 0 && static_cast<std::size_t>(last) < variable.numElements;
}

View viewFrom(const Json& json, const std::vector<Variable>& variables, std::uint32_t firstVar) {
  View view;
  view.type = typeNamed(json.at("type").get<std::string>());
  view.shape = listFrom<ipumodel::Dims>(json.at("shape"));
  std::size_t covered = 0;
  for (const Json& entry : json.at("boxes")) {
    Box& box = view.boxes.emplace_back();
    const auto number = entry.at("variable").get<std::uint32_t>();
    require(number < variables.size(), "a tensor refers to a variable that is missing");
    box.var = VarId{firstVar + number};
    box.origin = listFrom<ipumodel::Dims>(entry.at("origin"));
    box.extent = listFrom<ipumodel::Dims>(entry.at("extent"));
    box.offset = entry.at("offset").get<std::int64_t>();
    box.stride = listFrom<ipumodel::Strides>(entry.at("stride"));
    require(isInside(box, view, variables[number]), "a tensor leaves its variable");
    covered += product(box.extent);
  }
  require(covered == product(view.shape), "a tensor has gaps");
  return view;
}

} // namespace

void Graph::serializeTensors(std::ostream& os, ArrayRef<Tensor> tensors,
                             SerializationFormat format) const {
  ipumodel::writeDocument(os, tensorsJson(*data_, tensors), format);
}

std::vector<Tensor> Graph::deserializeTensors(std::istream& is, SerializationFormat format) {
  if (format == SerializationFormat::JSON)
    throw poplar_error("serialised tensors are read in the binary format only");
  std::vector<Variable> variables;
  std::vector<View> views;
  try {
    const Json json = Json::from_cbor(is, false);
    require(json.at("format") == kFormat && json.at("version") == kVersion, "another format");
    for (const Json& variable : json.at("variables"))
      variables.push_back(variableFrom(variable, data_->target.getNumTiles()));
    const auto firstVar = static_cast<std::uint32_t>(data_->variables.size());
    for (const Json& tensor : json.at("tensors"))
      views.push_back(viewFrom(tensor, variables, firstVar));
  } catch (const nlohmann::json::exception& e) {
    throw poplar_error(std::string("serialised tensors cannot be read: ") + e.what());
  }
  std::move(variables.begin(), variables.end(), std::back_inserter(data_->variables));
  std::vector<Tensor> tensors;
  for (View& view : views)
    tensors.push_back(ipumodel::makeTensor(data_, std::move(view)));
  return tensors;
}

} // namespace poplar
