#include "profile/Accesses.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

namespace ipumodel {
namespace {

void append(const View& view, ElementRanges& ranges) {
  for (const Run& run : view.runs()) {
    const auto first = static_cast<std::uint64_t>(run.offset);
    if (run.stride == 1 || run.count == 1) {
      ranges.push_back({run.var, first, first + run.count});
    } else if (run.stride == 0) {
      ranges.push_back({run.var, first, first + 1});
    } else {
      for (std::size_t i = 0; i < run.count; ++i) {
        const auto at =
            static_cast<std::uint64_t>(run.offset + static_cast<std::int64_t>(i) * run.stride);
        ranges.push_back({run.var, at, at + 1});
      }
    }
  }
}

struct Collect {
  const GraphData& graph;
  Accesses& out;

  void read(const View& view) { append(view, out.reads); }
  void write(const View& view) { append(view, out.writes); }

  void operator()(const node::Execute& n) {
    for (const VertexId id : graph.computeSets[n.computeSet.value].vertices) {
      const Vertex& vertex = graph.vertices[id.value];
      for (const Connection& connection : vertex.connections) {
        const FieldDirection direction = vertex.type->fields[connection.field].direction;
        if (direction != FieldDirection::Output)
          read(connection.view);
        if (direction == FieldDirection::Output)
          write(connection.view);
      }
    }
    if (n.exitValue)
      write(*n.exitValue);
  }
  void operator()(const node::CopyTensor& n) {
    read(n.source);
    write(n.destination);
  }
  void operator()(const node::CopyFromStream& n) { write(n.destination); }
  void operator()(const node::CopyToStream& n) { read(n.source); }
  void operator()(const node::CopyFromRemote& n) {
    if (n.rows)
      read(*n.rows);
    write(n.destination);
  }
  void operator()(const node::CopyToRemote& n) {
    if (n.rows)
      read(*n.rows);
    read(n.source);
  }
  void operator()(const node::CrossReplicaCopy& n) {
    read(n.source);
    write(n.destination);
  }
  void operator()(const node::RepeatWhile& n) { read(n.predicate); }
  void operator()(const node::If& n) { read(n.predicate); }
  void operator()(const node::Switch& n) { read(n.control); }
  void operator()(const node::CallHostFunction& n) {
    for (const View& input : n.inputs)
      read(input);
    for (const View& output : n.outputs)
      write(output);
  }
  void operator()(const node::WriteUndef& n) { write(n.view); }
  void operator()(const node::CycleCount& n) { write(n.destination); }
  void operator()(const node::CycleStamp& n) { write(n.destination); }
  void operator()(const node::PrintTensor& n) { read(n.view); }
  void operator()(const node::AbortOnCondition& n) { read(n.predicate); }
  void operator()(const node::AssumeEqualAcrossReplicas& n) { read(n.view); }
  template <class Other>
  void operator()(const Other&) {}
};

} // namespace

void normalise(ElementRanges& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const ElementRange& a, const ElementRange& b) {
    return std::tie(a.var, a.begin) < std::tie(b.var, b.begin);
  });
  std::size_t kept = 0;
  for (const ElementRange& range : ranges) {
    if (kept > 0 && ranges[kept - 1].var == range.var && range.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

ElementRanges rangesOf(const View& view) {
  ElementRanges ranges;
  append(view, ranges);
  normalise(ranges);
  return ranges;
}

Accesses accessesOf(const GraphData& graph, const ProgramNode& node) {
  Accesses result;
  std::visit(Collect{graph, result}, node.op);
  normalise(result.reads);
  normalise(result.writes);
  return result;
}

} // namespace ipumodel
