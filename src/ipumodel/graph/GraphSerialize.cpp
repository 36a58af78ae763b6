// The graph as a document: what there is and how it is connected, without codelets and values.
#include "graph/Access.hpp"
#include "graph/Document.hpp"
#include "graph/ProgramNode.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include <nlohmann/json.hpp>

namespace poplar {
namespace {

using Json = nlohmann::ordered_json;

const char* kindName(ipumodel::VariableKind kind) {
  switch (kind) {
  case ipumodel::VariableKind::Variable:
    return "variable";
  case ipumodel::VariableKind::Constant:
    return "constant";
  case ipumodel::VariableKind::ReplicationIndex:
    return "replicationIndex";
  }
  return "unknown";
}

Json variableJson(const ipumodel::Variable& variable) {
  Json tiles = Json::array();
  for (const auto& range : variable.tiles.ranges())
    tiles.push_back({range.tile.value, range.begin, range.end});
  return {{"name", variable.name},
          {"kind", kindName(variable.kind)},
          {"type", variable.type.toString().cloneAsString()},
          {"numElements", variable.numElements},
          {"tiles", std::move(tiles)}};
}

Json edgeJson(const ipumodel::Vertex& vertex, const ipumodel::Connection& connection) {
  Json regions = Json::array();
  for (const ipumodel::Box& box : connection.view.boxes)
    regions.push_back(
        {{"variable", box.var.value},
         {"offset", box.offset},
         {"extent", std::vector<std::size_t>(box.extent.begin(), box.extent.end())},
         {"stride", std::vector<std::int64_t>(box.stride.begin(), box.stride.end())}});
  Json edge = {{"field", vertex.type->fields[connection.field].name}};
  if (connection.element)
    edge["element"] = *connection.element;
  edge["regions"] = std::move(regions);
  return edge;
}

Json vertexJson(const ipumodel::Vertex& vertex) {
  Json edges = Json::array();
  for (const ipumodel::Connection& connection : vertex.connections)
    edges.push_back(edgeJson(vertex, connection));
  Json json = {{"type", vertex.type->name}, {"computeSet", vertex.computeSet.value}};
  if (vertex.tile.valid())
    json["tile"] = vertex.tile.value;
  json["edges"] = std::move(edges);
  return json;
}

Json graphJson(const ipumodel::GraphData& graph) {
  Json json = {{"format", "ipumodel graph"},
               {"version", 1},
               {"numTiles", graph.target.getNumTiles()},
               {"replicationFactor", graph.replicationFactor}};
  for (const char* list : {"variables", "computeSets", "vertices", "streams", "remoteBuffers"})
    json[list] = Json::array();
  for (const ipumodel::Variable& variable : graph.variables)
    json["variables"].push_back(variableJson(variable));
  for (const ipumodel::ComputeSet& set : graph.computeSets)
    json["computeSets"].push_back(set.name);
  for (const ipumodel::Vertex& vertex : graph.vertices)
    json["vertices"].push_back(vertexJson(vertex));
  for (const ipumodel::Stream& stream : graph.streams)
    json["streams"].push_back(
        {{"handle", stream.handle},
         {"direction", stream.direction == ipumodel::StreamDirection::HostToDevice
                           ? "hostToDevice"
                           : "deviceToHost"},
         {"type", stream.type.toString().cloneAsString()},
         {"numElements", stream.numElements}});
  for (const ipumodel::RemoteBuffer& buffer : graph.remoteBuffers)
    json["remoteBuffers"].push_back({{"handle", buffer.handle},
                                     {"type", buffer.type.toString().cloneAsString()},
                                     {"numElements", buffer.numElements},
                                     {"repeats", buffer.repeats}});
  return json;
}

} // namespace

void Graph::serialize(std::ostream& os, SerializationFormat format) const {
  ipumodel::writeDocument(os, graphJson(*data_), format);
}

void Graph::serialize(std::ostream& os, ArrayRef<program::Program> programs,
                      SerializationFormat format) const {
  auto json = graphJson(*data_);
  json["programs"] = Json::array();
  for (const auto& program : programs)
    json["programs"].push_back(program.getImpl() ? program.getImpl()->name : "");
  ipumodel::writeDocument(os, json, format);
}

} // namespace poplar
