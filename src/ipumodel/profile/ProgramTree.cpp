#include "profile/ProgramTree.hpp"

#include "profile/Accesses.hpp"

#include <set>
#include <variant>

namespace ipumodel {
namespace {

struct TypeOf {
  ProgramType operator()(const node::Sequence&) const { return ProgramType::Sequence; }
  ProgramType operator()(const node::Block&) const { return ProgramType::Block; }
  ProgramType operator()(const node::CycleCount&) const { return ProgramType::Block; }
  ProgramType operator()(const node::Repeat&) const { return ProgramType::Repeat; }
  ProgramType operator()(const node::RepeatWhile&) const { return ProgramType::RepeatWhile; }
  ProgramType operator()(const node::If&) const { return ProgramType::If; }
  ProgramType operator()(const node::Switch&) const { return ProgramType::Switch; }
  ProgramType operator()(const node::CallFunction&) const { return ProgramType::Call; }
  ProgramType operator()(const node::WriteUndef&) const { return ProgramType::WriteUndef; }
  template <class Leaf>
  ProgramType operator()(const Leaf&) const {
    return ProgramType::Other;
  }
};

// For a step that its author gave no name.
struct NameOf {
  const GraphData& graph;

  std::string operator()(const node::Execute& n) const {
    return graph.computeSets[n.computeSet.value].name;
  }
  std::string operator()(const node::CopyTensor&) const { return "Copy"; }
  std::string operator()(const node::CopyFromStream& n) const {
    return "StreamCopy/" + graph.streams[n.stream.value].handle;
  }
  std::string operator()(const node::CopyToStream& n) const {
    return "StreamCopy/" + graph.streams[n.stream.value].handle;
  }
  std::string operator()(const node::CopyFromRemote& n) const {
    return "RemoteCopy/" + graph.remoteBuffers[n.buffer.value].handle;
  }
  std::string operator()(const node::CopyToRemote& n) const {
    return "RemoteCopy/" + graph.remoteBuffers[n.buffer.value].handle;
  }
  std::string operator()(const node::CrossReplicaCopy&) const { return "CrossReplicaCopy"; }
  std::string operator()(const node::PrintTensor&) const { return "PrintTensor"; }
  std::string operator()(const node::CallHostFunction& n) const {
    return "HostFunction/" + graph.hostFunctions[n.function.value].handle;
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

ProgramType typeOf(PartKind kind) {
  switch (kind) {
  case PartKind::Sync:
    return ProgramType::Sync;
  case PartKind::Exchange:
    return ProgramType::DoExchange;
  case PartKind::OnTileCopy:
  case PartKind::Compute:
    return ProgramType::OnTileExecute;
  case PartKind::GlobalExchange:
    return ProgramType::GlobalExchange;
  case PartKind::StreamCopy:
    return ProgramType::StreamCopy;
  case PartKind::RemoteCopy:
    return ProgramType::RemoteCopy;
  }
  return ProgramType::Other;
}

// Poplar's own suffixes, by which people find the phases of a step.
const char* suffixOf(PartKind kind, bool afterCompute) {
  switch (kind) {
  case PartKind::Sync:
    return "/Sync";
  case PartKind::Exchange:
  case PartKind::GlobalExchange:
    return afterCompute ? "/ExchangePost" : "/ExchangePre";
  case PartKind::OnTileCopy:
    return afterCompute ? "/OnTileCopyPost" : "/OnTileCopyPre";
  default:
    return "";
  }
}

std::vector<std::uint32_t> variablesOf(const Accesses& accesses) {
  std::set<std::uint32_t> variables;
  for (const ElementRange& r : accesses.reads)
    variables.insert(r.var.value);
  for (const ElementRange& r : accesses.writes)
    variables.insert(r.var.value);
  return {variables.begin(), variables.end()};
}

class Builder {
public:
  Builder(const GraphData& graph, const StepTable& steps, const CostTable& costs)
      : graph_(graph), steps_(steps), costs_(costs) {
    // The programs of the steps come first, so that a child is known before it is built.
    tree_.programs.resize(steps.size());
    tree_.ofPart.resize(steps.size());
    for (std::uint32_t i = 0; i < steps.size(); ++i)
      tree_.ofStep.push_back(i);
  }

  ProgramTree build() {
    for (std::uint32_t i = 0; i < steps_.size(); ++i)
      addStep(StepId{i});
    return std::move(tree_);
  }

private:
  void addStep(StepId step) {
    const ProgramNode& node = steps_.node(step);
    const StepCost& cost = costs_.step(step);
    const ProgramType own = std::visit(TypeOf{}, node.op);
    ProgramInfo program;
    program.type = own;
    program.name = node.name;
    if (program.name.empty())
      program.name = std::visit(NameOf{graph_}, node.op);
    if (const auto* repeat = std::get_if<node::Repeat>(&node.op))
      program.repeatCount = repeat->count;
    for (const ProgramPtr& child : childrenOf(node))
      program.children.push_back(steps_.of(*child).value);
    if (const auto* call = std::get_if<node::CallFunction>(&node.op))
      if (const ProgramPtr& body = graph_.functions[call->function.value])
        program.children.push_back(steps_.of(*body).value);

    const bool isLeaf = own == ProgramType::Other || own == ProgramType::WriteUndef;
    if (isLeaf)
      program.variables = variablesOf(accessesOf(graph_, node));
    if (isLeaf && cost.parts.size() == 1) {
      describe(program, cost, cost.parts[0]);
      if (cost.parts[0].kind == PartKind::OnTileCopy)
        program.name += "/OnTileCopy";
      tree_.ofPart[step.value] = {step.value};
    } else if (!cost.parts.empty()) {
      if (isLeaf)
        program.type = ProgramType::Sequence;
      addParts(step, cost, program);
    }
    tree_.programs[step.value] = std::move(program);
  }

  void addParts(StepId step, const StepCost& cost, ProgramInfo& parent) {
    bool afterCompute = false;
    std::vector<std::uint32_t> phases;
    for (const StepPart& part : cost.parts) {
      ProgramInfo phase;
      phase.name = parent.name + suffixOf(part.kind, afterCompute);
      phase.variables = parent.variables;
      describe(phase, cost, part);
      afterCompute |= part.kind == PartKind::Compute;
      phases.push_back(static_cast<std::uint32_t>(tree_.programs.size()));
      tree_.programs.push_back(std::move(phase));
    }
    parent.children.insert(parent.children.begin(), phases.begin(), phases.end());
    tree_.ofPart[step.value] = std::move(phases);
  }

  void describe(ProgramInfo& program, const StepCost& cost, const StepPart& part) const {
    const MachineParameters& machine = costs_.machine();
    program.type = typeOf(part.kind);
    program.bytes = part.bytes;
    program.cycles = part.cycles;
    if (part.kind == PartKind::Compute) {
      program.computeSet = static_cast<std::int32_t>(cost.computeSet->value);
      program.controlBytesPerTile = machine.executeControlBytes;
    } else if (part.kind == PartKind::OnTileCopy) {
      program.controlBytesPerTile = machine.executeControlBytes;
    } else if (part.kind != PartKind::Sync) {
      program.controlBytesPerTile = machine.exchangeControlBytes;
    }
    if (part.offChip)
      for (const auto& [tile, bytes] : *part.offChip)
        (part.toHost ? program.bytesSent : program.bytesReceived).emplace_back(tile, bytes);
    if (part.traffic && part.kind != PartKind::OnTileCopy) {
      for (const TileTraffic& tile : part.traffic->exchange.tiles) {
        program.bytesSent.emplace_back(tile.tile, tile.bytesSent);
        program.bytesReceived.emplace_back(tile.tile, tile.bytesReceived);
        program.codeBytes.emplace_back(tile.tile, exchangeCodeBytes(tile, machine));
      }
    }
  }

  const GraphData& graph_;
  const StepTable& steps_;
  const CostTable& costs_;
  ProgramTree tree_;
};

} // namespace

ProgramTree makeProgramTree(const GraphData& graph, const StepTable& steps,
                            const CostTable& costs) {
  return Builder(graph, steps, costs).build();
}

} // namespace ipumodel
