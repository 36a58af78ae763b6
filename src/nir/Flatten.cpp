#include "nir/Flatten.hpp"

#include <algorithm>

namespace spillway::nir {
namespace {

using Edge = std::pair<std::string, std::string>;

// Removes a node; each edge into it is joined with each edge out of it.
void bypass(Graph& graph, const std::string& name) {
  std::vector<Edge> joined;
  for (const auto& [from, to] : graph.edges) {
    if (to == name) {
      for (const auto& [from2, to2] : graph.edges) {
        if (from2 == name) {
          joined.emplace_back(from, to2);
        }
      }
    }
  }
  std::erase_if(graph.edges,
                [&](const Edge& edge) { return edge.first == name || edge.second == name; });
  graph.edges.insert(graph.edges.end(), joined.begin(), joined.end());
  graph.nodes.erase(name);
}

void inlineNode(Graph& graph, const std::string& name) {
  const Graph inner = flatten(*graph.nodes.at(name).graph);
  const std::string prefix = name + ".";
  std::vector<std::string> ways[2]; // in, out
  std::vector<Edge> edges;
  for (const auto& [innerName, node] : inner.nodes) {
    graph.nodes[prefix + innerName] = node;
    if (node.type == "Input" || node.type == "Output") {
      ways[node.type == "Output"].push_back(prefix + innerName);
    }
  }
  for (const auto& [from, to] : inner.edges) {
    edges.emplace_back(prefix + from, prefix + to);
  }
  for (const auto& [from, to] : graph.edges) {
    for (const std::string& begin : from == name ? ways[1] : std::vector{from}) {
      for (const std::string& end : to == name ? ways[0] : std::vector{to}) {
        edges.emplace_back(begin, end);
      }
    }
  }
  graph.edges = std::move(edges);
  graph.nodes.erase(name);
  for (const auto& doors : ways) {
    for (const std::string& door : doors) {
      bypass(graph, door);
    }
  }
}

} // namespace

Graph flatten(const Graph& graph) {
  Graph flat = graph;
  std::vector<std::string> inner;
  for (const auto& [name, node] : graph.nodes) {
    if (node.graph) {
      inner.push_back(name);
    }
  }
  for (const std::string& name : inner) {
    inlineNode(flat, name);
  }
  return flat;
}

} // namespace spillway::nir
