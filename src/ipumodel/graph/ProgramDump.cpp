// A program as a JSON document.
#include "graph/Access.hpp"

#include <poplar/Program.hpp>

#include <nlohmann/json.hpp>

namespace poplar {
namespace program {
namespace {

using ipumodel::GraphData;
using ipumodel::ProgramPtr;
namespace node = ipumodel::node;

using Json = nlohmann::ordered_json;

Json programJson(const GraphData& graph, const ProgramPtr& program);

// Adds what is particular to each kind, "type" first.
struct Describe {
  const GraphData& graph;
  Json& json;

  void body(const char* key, const ProgramPtr& program) const {
    json[key] = programJson(graph, program);
  }
  void copy(const char* kind, std::size_t numElements, const std::string& handle = "") const {
    json["type"] = kind;
    if (!handle.empty())
      json["handle"] = handle;
    json["numElements"] = numElements;
  }

  void operator()(const node::Sequence& n) const {
    json["type"] = "Sequence";
    json["children"] = Json::array();
    for (const ProgramPtr& step : n.steps)
      json["children"].push_back(programJson(graph, step));
  }
  void operator()(const node::Block& n) const {
    json["type"] = "Block";
    body("body", n.body);
  }
  void operator()(const node::Execute& n) const {
    json["type"] = "Execute";
    json["computeSet"] = graph.computeSets[n.computeSet.value].name;
  }
  void operator()(const node::CopyTensor& n) const { copy("Copy", n.source.numElements()); }
  void operator()(const node::CopyFromStream& n) const {
    copy("Copy", n.destination.numElements(), graph.streams[n.stream.value].handle);
  }
  void operator()(const node::CopyToStream& n) const {
    copy("Copy", n.source.numElements(), graph.streams[n.stream.value].handle);
  }
  void operator()(const node::CopyFromRemote& n) const {
    copy("Copy", n.destination.numElements(), graph.remoteBuffers[n.buffer.value].handle);
  }
  void operator()(const node::CopyToRemote& n) const {
    copy("Copy", n.source.numElements(), graph.remoteBuffers[n.buffer.value].handle);
  }
  void operator()(const node::CrossReplicaCopy& n) const {
    copy("CrossReplicaCopy", n.source.numElements());
  }
  void operator()(const node::Repeat& n) const {
    json["type"] = "Repeat";
    json["count"] = n.count;
    body("body", n.body);
  }
  void operator()(const node::RepeatWhile& n) const {
    json["type"] = n.whileTrue ? "RepeatWhileTrue" : "RepeatWhileFalse";
    body("condition", n.condition);
    body("body", n.body);
  }
  void operator()(const node::If& n) const {
    json["type"] = "If";
    body("then", n.thenBody);
    body("else", n.elseBody);
  }
  void operator()(const node::Switch& n) const {
    json["type"] = "Switch";
    json["cases"] = Json::array();
    for (const auto& [value, program] : n.cases)
      json["cases"].push_back({{"value", value}, {"body", programJson(graph, program)}});
    body("default", n.defaultCase);
  }
  void operator()(const node::CallFunction& n) const {
    json["type"] = "Call";
    body("body", graph.functions[n.function.value]);
  }
  void operator()(const node::CallHostFunction& n) const {
    json["type"] = "Call";
    json["handle"] = graph.hostFunctions[n.function.value].handle;
  }
  void operator()(const node::Sync& n) const {
    json["type"] = "Sync";
    json["external"] = n.external;
  }
  void operator()(const node::WriteUndef&) const { json["type"] = "WriteUndef"; }
  void operator()(const node::PrintTensor& n) const {
    json["type"] = "PrintTensor";
    json["title"] = n.title;
  }
  void operator()(const node::Abort&) const { json["type"] = "Abort"; }
  void operator()(const node::AbortOnCondition&) const { json["type"] = "AbortOnCondition"; }
  void operator()(const node::AssumeEqualAcrossReplicas&) const {
    json["type"] = "AssumeEqualAcrossReplicas";
  }
  void operator()(const node::CycleCount& n) const {
    json["type"] = "CycleCount";
    body("body", n.body);
  }
  void operator()(const node::CycleStamp&) const { json["type"] = "CycleStamp"; }
};

Json programJson(const GraphData& graph, const ProgramPtr& program) {
  Json json = Json::object();
  if (!program)
    return json;
  std::visit(Describe{graph, json}, program->op);
  if (!program->name.empty())
    json["name"] = program->name;
  return json;
}

} // namespace

void dumpProgram(const Graph& graph, const Program& program, std::ostream& out) {
  out << programJson(*graph.getImpl(), program.getImpl()).dump(1) << '\n';
}

} // namespace program
} // namespace poplar
