#include "engine/GraphArchive.hpp"

#include "engine/GraphFormat.hpp"
#include "profile/Estimates.hpp"
#include "profile/StepTable.hpp"

#include <poplar/exceptions.hpp>

#include <memory>
#include <unordered_map>

namespace ipumodel {
namespace {

constexpr std::uint32_t kNoProgram = ~std::uint32_t{0};

// f(ProgramPtr) for each program directly inside a node, empty ones included, in a fixed order.
template <class Node, class F>
void forEachChild(Node& node, const F& f) {
  std::visit(
      [&](auto& n) {
        using N = std::remove_cvref_t<decltype(n)>;
        if constexpr (std::is_same_v<N, node::Sequence>) {
          for (auto& step : n.steps)
            f(step);
        } else if constexpr (std::is_same_v<N, node::Block> || std::is_same_v<N, node::Repeat> ||
                             std::is_same_v<N, node::CycleCount>) {
          f(n.body);
        } else if constexpr (std::is_same_v<N, node::RepeatWhile>) {
          f(n.condition);
          f(n.body);
        } else if constexpr (std::is_same_v<N, node::If>) {
          f(n.thenBody);
          f(n.elseBody);
        } else if constexpr (std::is_same_v<N, node::Switch>) {
          for (auto& [value, body] : n.cases)
            f(body);
          f(n.defaultCase);
        }
      },
      node.op);
}

// Fills `op` with the alternative of that number, as default-constructed.
template <std::size_t I = 0, class Op>
void emplace(Op& op, std::size_t index) {
  if constexpr (I == std::variant_size_v<Op>)
    throw std::runtime_error("a program of kind " + std::to_string(index));
  else if (index == I)
    op.template emplace<I>();
  else
    emplace<I + 1>(op, index);
}

void writeVertices(Writer& write, const GraphData& graph) {
  std::unordered_map<const VertexType*, std::uint32_t> indexOf;
  std::vector<std::string> names;
  for (const Vertex& vertex : graph.vertices)
    if (indexOf.try_emplace(vertex.type, static_cast<std::uint32_t>(names.size())).second)
      names.push_back(vertex.type->name);
  write(names, std::uint64_t{graph.vertices.size()});
  for (std::uint32_t i = 0; i != graph.vertices.size(); ++i) {
    const Vertex& v = graph.vertices[i];
    std::optional<std::uint64_t> cycles = v.cycles, flops = v.flops;
    if (const auto expected = cycles ? std::nullopt : estimate(graph, VertexId{i})) {
      cycles = expected->cycles;
      flops = expected->flops;
    }
    write(indexOf.at(v.type), v.computeSet, v.tile, v.connections, v.values, v.fieldSizes, cycles,
          flops);
  }
}

void readVertices(Reader& read, GraphData& graph) {
  std::vector<std::string> names;
  std::uint64_t count = 0;
  read(names, count);
  std::vector<const VertexType*> types;
  for (const std::string& name : names) {
    types.push_back(graph.codelets.find(name));
    if (!types.back())
      throw poplar::unknown_vertex_type(name);
  }
  for (std::uint64_t i = 0; i != count; ++i) {
    Vertex& v = graph.vertices.emplace_back();
    std::uint32_t type = 0;
    read(type, v.computeSet, v.tile, v.connections, v.values, v.fieldSizes, v.cycles, v.flops);
    v.type = types.at(type);
  }
}

} // namespace

void writeGraph(Writer& write, const ExecutableData& executable) {
  const GraphData& graph = *executable.graph;
  std::vector<std::pair<std::string, HostAccess>> hostAccess(graph.hostAccess.begin(),
                                                             graph.hostAccess.end());
  write(graph.variables, graph.computeSets, graph.streams, graph.remoteBuffers, graph.hostFunctions,
        hostAccess);
  writeVertices(write, graph);

  const StepTable steps(executable.programs, graph.functions);
  const auto idOf = [&](const ProgramNode* node) {
    return node ? steps.of(*node).value : kNoProgram;
  };
  write(std::uint64_t{steps.size()});
  for (std::uint32_t i = 0; i != steps.size(); ++i) {
    const ProgramNode& node = steps.node(StepId{i});
    std::vector<std::uint32_t> children;
    forEachChild(node, [&](const ProgramPtr& child) { children.push_back(idOf(child.get())); });
    write(node.name, std::uint64_t{node.op.index()}, children);
    std::visit([&](const auto& n) { write(n); }, node.op);
  }
  const auto writeIds = [&](const auto& nodes) {
    std::vector<std::uint32_t> ids;
    for (const auto& node : nodes)
      ids.push_back(idOf(std::to_address(node)));
    write(ids);
  };
  writeIds(executable.programs);
  writeIds(graph.functions);
  writeIds(executable.program.nodes);
}

void readGraph(Reader& read, ExecutableData& executable) {
  auto graph = std::make_shared<GraphData>(executable.target, 1u);
  graph->replicationFactor = executable.program.replicationFactor;
  for (const auto& object : executable.codelets.objects())
    graph->codelets.add(object);
  std::vector<std::pair<std::string, HostAccess>> hostAccess;
  read(graph->variables, graph->computeSets, graph->streams, graph->remoteBuffers,
       graph->hostFunctions, hostAccess);
  graph->hostAccess.insert(hostAccess.begin(), hostAccess.end());
  readVertices(read, *graph);

  std::uint64_t count = 0;
  read(count);
  std::vector<std::shared_ptr<ProgramNode>> nodes;
  const auto nodeOf = [&](std::uint32_t id) -> std::shared_ptr<ProgramNode> {
    return id == kNoProgram ? nullptr : nodes.at(id);
  };
  for (std::uint64_t i = 0; i != count; ++i)
    nodes.push_back(std::make_shared<ProgramNode>());
  for (const auto& node : nodes) {
    std::uint64_t kind = 0;
    std::vector<std::uint32_t> children;
    read(node->name, kind, children);
    emplace(node->op, kind);
    std::visit([&](auto& n) { read(n); }, node->op);
    if (auto* sequence = std::get_if<node::Sequence>(&node->op))
      sequence->steps.resize(children.size());
    std::size_t next = 0;
    forEachChild(*node, [&](ProgramPtr& child) { child = nodeOf(children.at(next++)); });
  }
  const auto readIds = [&](const auto& add) {
    std::vector<std::uint32_t> ids;
    read(ids);
    for (const std::uint32_t id : ids)
      add(nodeOf(id));
  };
  readIds([&](ProgramPtr node) { executable.programs.push_back(std::move(node)); });
  readIds([&](ProgramPtr node) { graph->functions.push_back(std::move(node)); });
  readIds([&](ProgramPtr node) { executable.program.nodes.push_back(node.get()); });
  executable.graph = std::move(graph);
}

} // namespace ipumodel
