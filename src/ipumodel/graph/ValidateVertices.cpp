#include "graph/ValidateVertices.hpp"

#include "graph/FieldLimits.hpp"
#include "graph/FieldSlot.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>

namespace ipumodel {
namespace {

std::string fieldText(const GraphData& graph, VertexId id, unsigned field) {
  return "field '" + graph.vertices[id.value].type->fields[field].name + "' of " +
         describeVertex(graph, id);
}

// Every edge field has its edges, every vector of values its size.
void checkFields(const GraphData& graph, VertexId id, std::vector<std::size_t>& numEdges) {
  const Vertex& vertex = graph.vertices[id.value];
  const auto& fields = vertex.type->fields;
  constexpr std::size_t kWhole = ~std::size_t{0};
  numEdges.assign(fields.size(), 0);
  for (const Connection& c : vertex.connections)
    numEdges[c.field] = c.element ? numEdges[c.field] + 1 : kWhole;
  for (unsigned f = 0; f < fields.size(); ++f) {
    const FieldInfo& field = fields[f];
    if (field.direction == FieldDirection::State) {
      if (field.rank != FieldRank::Scalar && !sizeOfField(vertex, f))
        throw poplar::no_size_specified(field.name, vertex.type->name);
      continue;
    }
    if (numEdges[f] == kWhole)
      continue;
    const std::size_t size =
        field.rank == FieldRank::Scalar ? 1 : sizeOfField(vertex, f).value_or(kWhole);
    if (numEdges[f] == size)
      continue;
    if (numEdges[f] == 0)
      throw poplar::graph_connection_error(fieldText(graph, id, f) + " is not connected");
    throw poplar::graph_connection_error(fieldText(graph, id, f) + " has " + std::to_string(size) +
                                         " elements, but only " + std::to_string(numEdges[f]) +
                                         " are connected");
  }
}

struct Access {
  VarId var;
  std::uint32_t vertex;
  std::size_t begin, end;
  bool isWrite;
};

// The two accesses by different vertices that reach furthest.
class Furthest {
public:
  void add(std::size_t end, std::uint32_t vertex) {
    if (vertex == first_.vertex) {
      first_.end = std::max(first_.end, end);
    } else if (end > first_.end) {
      second_ = first_;
      first_ = {end, vertex};
    } else if (end > second_.end) {
      second_ = {end, vertex};
    }
  }
  // The vertex other than `vertex` that reaches beyond `begin`, if there is one.
  std::optional<std::uint32_t> beyond(std::size_t begin, std::uint32_t vertex) const {
    const Reach& other = first_.vertex == vertex ? second_ : first_;
    return other.end > begin ? std::optional(other.vertex) : std::nullopt;
  }

private:
  struct Reach {
    std::size_t end = 0;
    std::uint32_t vertex = ~0u;
  };
  Reach first_, second_;
};

class RaceCheck {
public:
  RaceCheck(const GraphData& graph, const ComputeSet& set) : graph_(graph), set_(set) {}

  void run() {
    for (const VertexId id : set_.vertices)
      collect(id, true);
    if (accesses_.empty())
      return;
    written_.assign(graph_.variables.size(), false);
    for (const Access& a : accesses_)
      written_[a.var.value] = true;
    for (const VertexId id : set_.vertices)
      collect(id, false);
    sweep();
  }

private:
  void collect(VertexId id, bool writes) {
    const Vertex& vertex = graph_.vertices[id.value];
    for (const Connection& c : vertex.connections) {
      const bool isWrite = vertex.type->fields[c.field].direction != FieldDirection::Input;
      if (isWrite != writes)
        continue;
      for (const Box& box : c.view.boxes)
        if (isWrite || written_[box.var.value])
          addBox(box, id.value, isWrite);
    }
  }

  void addBox(const Box& box, std::uint32_t vertex, bool isWrite) {
    const BoxReach reach = reachOf(box);
    if (reach.dense) {
      accesses_.push_back({box.var, vertex, reach.begin, reach.end, isWrite});
      return;
    }
    const View single{poplar::Type(),
                      box.extent,
                      {{Dims(box.extent.size(), 0), box.extent, box.var, box.offset, box.stride}}};
    for (const Region& r : regionsOf(single))
      accesses_.push_back({r.var, vertex, r.begin, r.end(), isWrite});
  }

  void sweep() {
    std::sort(accesses_.begin(), accesses_.end(), [](const Access& a, const Access& b) {
      return a.var != b.var ? a.var < b.var : a.begin < b.begin;
    });
    VarId var;
    Furthest writes, all;
    for (const Access& a : accesses_) {
      if (a.var != var) {
        var = a.var;
        writes = all = {};
      }
      if (const auto writer = writes.beyond(a.begin, a.vertex))
        fail(a, *writer, a.isWrite);
      if (a.isWrite) {
        if (const auto reader = all.beyond(a.begin, a.vertex))
          fail(a, *reader, false);
        writes.add(a.end, a.vertex);
      }
      all.add(a.end, a.vertex);
    }
  }

  [[noreturn]] void fail(const Access& a, std::uint32_t other, bool bothWrite) const {
    const std::string where = "element " + std::to_string(a.begin) + " of '" +
                              graph_.variables[a.var.value].name + "' in compute set '" +
                              set_.name + "'";
    const std::string who = describeVertex(graph_, VertexId{other}) + " and " +
                            describeVertex(graph_, VertexId{a.vertex});
    if (bothWrite)
      throw poplar::graph_connection_error(where + " is written by two vertices: " + who);
    throw poplar::graph_cycle_error(where +
                                    " is read by one vertex and written by another: " + who);
  }

  const GraphData& graph_;
  const ComputeSet& set_;
  std::vector<Access> accesses_;
  std::vector<bool> written_; // by variable
};

} // namespace

void validateComputeSet(const GraphData& graph, const ComputeSet& set, MappingCheck& mapping) {
  const bool isForTiles = graph.target.getTargetType() != poplar::TargetType::CPU;
  std::vector<std::size_t> numEdges;
  for (const VertexId id : set.vertices) {
    const Vertex& vertex = graph.vertices[id.value];
    if (!vertex.tile.valid())
      throw poplar::invalid_tile_mapping(describeVertex(graph, id) + " is not mapped to a tile");
    checkFields(graph, id, numEdges);
    if (isForTiles)
      requireCountable(graph, id);
    for (const Connection& c : vertex.connections) {
      mapping.require(c.view, [&] { return fieldText(graph, id, c.field); });
      if (vertex.type->fields[c.field].direction == FieldDirection::Input)
        continue;
      for (const Box& box : c.view.boxes)
        if (graph.variables[box.var.value].kind != VariableKind::Variable)
          throw poplar::graph_connection_error(fieldText(graph, id, c.field) +
                                               " would write constant '" +
                                               graph.variables[box.var.value].name + "'");
    }
  }
  RaceCheck(graph, set).run();
}

} // namespace ipumodel
