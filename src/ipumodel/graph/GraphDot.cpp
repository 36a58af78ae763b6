// The graph as text for Graphviz.
#include "graph/Access.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include <set>

namespace poplar {
namespace {

using ipumodel::FieldDirection;
using ipumodel::GraphData;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string variableLabel(const GraphData& graph, std::uint32_t var) {
  const std::string& name = graph.variables[var].name;
  return name.empty() ? "var" + std::to_string(var) : name;
}

// Arrows between a node and the variables of one vertex's edges; each pair once.
void writeEdges(std::ostream& os, const ipumodel::Vertex& vertex, const std::string& node) {
  std::set<std::string> lines;
  for (const ipumodel::Connection& connection : vertex.connections) {
    const FieldDirection direction = vertex.type->fields[connection.field].direction;
    for (const ipumodel::Box& box : connection.view.boxes) {
      const std::string var = "v" + std::to_string(box.var.value);
      if (direction != FieldDirection::Output)
        lines.insert("  " + var + " -> " + node + ";\n");
      if (direction != FieldDirection::Input)
        lines.insert("  " + node + " -> " + var + ";\n");
    }
  }
  for (const std::string& line : lines)
    os << line;
}

void writeVariables(std::ostream& os, const GraphData& graph) {
  for (std::uint32_t var = 0; var < graph.variables.size(); ++var)
    os << "  v" << var << " [shape=box, label=" << quoted(variableLabel(graph, var)) << "];\n";
}

} // namespace

void Graph::outputVertexGraph(std::ostream& os, ArrayRef<program::Program>) const {
  os << "digraph vertices {\n";
  writeVariables(os, *data_);
  for (std::size_t i = 0; i < data_->vertices.size(); ++i) {
    const std::string node = "x" + std::to_string(i);
    os << "  " << node << " [label=" << quoted(data_->vertices[i].type->name) << "];\n";
    writeEdges(os, data_->vertices[i], node);
  }
  os << "}\n";
}

void Graph::outputComputeGraph(std::ostream& os, ArrayRef<program::Program>) const {
  os << "digraph compute {\n";
  writeVariables(os, *data_);
  for (std::size_t i = 0; i < data_->computeSets.size(); ++i) {
    const ipumodel::ComputeSet& set = data_->computeSets[i];
    const std::string node = "c" + std::to_string(i);
    os << "  " << node << " [shape=ellipse, label="
       << quoted(set.name.empty() ? "compute set " + std::to_string(i) : set.name) << "];\n";
    for (ipumodel::VertexId id : set.vertices)
      writeEdges(os, data_->vertices[id.value], node);
  }
  os << "}\n";
}

} // namespace poplar
