#include "graph/Validate.hpp"

#include "graph/MappingCheck.hpp"
#include "graph/ValidateVertices.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/exceptions.hpp>

#include <set>
#include <unordered_set>
#include <utility>

namespace ipumodel {
namespace {

class Validator {
public:
  explicit Validator(const GraphData& graph)
      : graph_(graph),
        mapping_(graph),
        setDone_(graph.computeSets.size(), false),
        functions_(graph.functions.size(), Visit::No) {}

  void program(const ProgramPtr& node) {
    if (!node || !done_.insert(node.get()).second)
      return;
    const ProgramNode* outer = std::exchange(node_, node.get());
    std::visit([this](const auto& op) { check(op); }, node->op);
    node_ = outer;
  }

  void hostAccess() {
    for (const auto& [handle, access] : graph_.hostAccess)
      mapping_.require(access.view, [&] { return "host access '" + handle + "'"; });
  }

private:
  enum class Visit : unsigned char { No, Active, Done };

  std::string called(const char* kind) const {
    return std::string(kind) + " '" + node_->name + "'";
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw poplar::control_program_error(what);
  }

  void read(const View& view, const char* kind) {
    requireOwn(view, kind);
    mapping_.require(view, [&] { return called(kind); });
  }

  // Whether the program's tensors are of this graph.
  void requireOwn(const View& view, const char* kind) const {
    if (isOrigin(node_->graph, graph_))
      return;
    const auto other = node_->graph.lock();
    const bool isNamed = other && !view.boxes.empty();
    throw poplar::poplar_error(
        called(kind) + " uses a tensor of another graph" +
        (isNamed ? ", of '" + other->variables[view.boxes.front().var.value].name + "'" : ""));
  }

  void write(const View& view, const char* kind) {
    read(view, kind);
    for (const Box& box : view.boxes)
      if (graph_.variables[box.var.value].kind != VariableKind::Variable)
        fail(called(kind) + " would write constant '" + graph_.variables[box.var.value].name + "'");
    if (containsAliases(view))
      fail(called(kind) + " would write elements of '" +
           graph_.variables[view.boxes.front().var.value].name + "' more than once");
  }

  template <class IdType, class List>
  void requireKnown(IdType id, const List& list, const char* kind, const char* what) const {
    if (id.value >= list.size())
      fail(called(kind) + " names a " + what + " that the graph does not have");
  }

  void check(const node::Sequence& op) {
    for (const ProgramPtr& step : op.steps)
      program(step);
  }
  void check(const node::Block& op) { program(op.body); }
  void check(const node::Execute& op) {
    requireKnown(op.computeSet, graph_.computeSets, "Execute", "compute set");
    if (op.exitValue)
      write(*op.exitValue, "Execute");
    if (setDone_[op.computeSet.value])
      return;
    setDone_[op.computeSet.value] = true;
    validateComputeSet(graph_, graph_.computeSets[op.computeSet.value], mapping_);
  }
  void check(const node::CopyTensor& op) {
    read(op.source, "Copy");
    write(op.destination, "Copy");
  }
  void check(const node::CopyFromStream& op) {
    requireKnown(op.stream, graph_.streams, "Copy", "stream");
    write(op.destination, "Copy");
  }
  void check(const node::CopyToStream& op) {
    requireKnown(op.stream, graph_.streams, "Copy", "stream");
    read(op.source, "Copy");
  }
  void check(const node::CopyFromRemote& op) {
    requireKnown(op.buffer, graph_.remoteBuffers, "Copy", "remote buffer");
    write(op.destination, "Copy");
    if (op.rows)
      read(*op.rows, "Copy");
  }
  void check(const node::CopyToRemote& op) {
    requireKnown(op.buffer, graph_.remoteBuffers, "Copy", "remote buffer");
    read(op.source, "Copy");
    if (op.rows)
      read(*op.rows, "Copy");
  }
  void check(const node::CrossReplicaCopy& op) {
    read(op.source, "CrossReplicaCopy");
    write(op.destination, "CrossReplicaCopy");
    std::set<unsigned> destinations;
    for (const auto& [to, from] : op.sourceOf) {
      if (to >= graph_.replicationFactor || from >= graph_.replicationFactor)
        fail(called("CrossReplicaCopy") + " names replica " + std::to_string(std::max(to, from)) +
             "; the graph has " + std::to_string(graph_.replicationFactor));
      if (!destinations.insert(to).second)
        fail(called("CrossReplicaCopy") + " writes replica " + std::to_string(to) + " twice");
    }
  }
  void check(const node::Repeat& op) { program(op.body); }
  void check(const node::RepeatWhile& op) {
    program(op.condition);
    read(op.predicate, "RepeatWhile");
    program(op.body);
  }
  void check(const node::If& op) {
    read(op.predicate, "If");
    program(op.thenBody);
    program(op.elseBody);
  }
  void check(const node::Switch& op) {
    read(op.control, "Switch");
    for (const auto& [value, body] : op.cases)
      program(body);
    program(op.defaultCase);
  }
  void check(const node::CallFunction& op) {
    requireKnown(op.function, graph_.functions, "Call", "function");
    Visit& visit = functions_[op.function.value];
    if (visit == Visit::Active)
      throw poplar::graph_recursion_error(called("Call") + " calls a function from within itself");
    if (visit == Visit::Done)
      return;
    visit = Visit::Active;
    program(graph_.functions[op.function.value]);
    functions_[op.function.value] = Visit::Done;
  }
  void check(const node::CallHostFunction& op) {
    requireKnown(op.function, graph_.hostFunctions, "Call", "host function");
    const HostFunctionData& function = graph_.hostFunctions[op.function.value];
    arguments(op.inputs, function.inputs, function.handle, "inputs");
    arguments(op.outputs, function.outputs, function.handle, "outputs");
    for (const View& view : op.inputs)
      read(view, "Call");
    for (const View& view : op.outputs)
      write(view, "Call");
  }
  void arguments(const std::vector<View>& given,
                 const std::vector<HostFunctionData::Argument>& wanted, const std::string& handle,
                 const char* side) const {
    bool fits = given.size() == wanted.size();
    for (std::size_t i = 0; fits && i < given.size(); ++i)
      fits = given[i].type == wanted[i].type && given[i].numElements() == wanted[i].numElements;
    if (!fits)
      fail(called("Call") + ": the " + side + " do not fit host function '" + handle + "'");
  }
  void check(const node::Sync&) {}
  void check(const node::WriteUndef& op) { requireOwn(op.view, "WriteUndef"); }
  void check(const node::PrintTensor& op) { read(op.view, "PrintTensor"); }
  void check(const node::Abort&) {}
  void check(const node::AbortOnCondition& op) { read(op.predicate, "AbortOnCondition"); }
  void check(const node::AssumeEqualAcrossReplicas& op) {
    read(op.view, "AssumeEqualAcrossReplicas");
  }
  void check(const node::CycleCount& op) {
    program(op.body);
    write(op.destination, "cycleCount");
  }
  void check(const node::CycleStamp& op) { write(op.destination, "cycleStamp"); }

  const GraphData& graph_;
  MappingCheck mapping_;
  std::vector<bool> setDone_;
  std::vector<Visit> functions_;
  std::unordered_set<const ProgramNode*> done_;
  const ProgramNode* node_ = nullptr; // being checked
};

} // namespace

void validate(const GraphData& graph, const std::vector<ProgramPtr>& programs) {
  Validator validator(graph);
  for (const ProgramPtr& program : programs)
    validator.program(program);
  validator.hostAccess();
}

} // namespace ipumodel
