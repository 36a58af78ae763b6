#include "lower/LowerPrograms.hpp"

#include "graph/TypeInfo.hpp"
#include "lower/LowerCopies.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <unordered_map>

namespace ipumodel {

namespace {

class ProgramLowering {
public:
  ProgramLowering(const GraphData& graph, const VariableOffsets& offsets, LoweredProgram& program)
      : graph_(graph), program_(program), copies_(graph, offsets, program) {
    program_.names.emplace_back();
  }

  void run(const std::vector<ProgramPtr>& programs) {
    for (const ProgramPtr& root : programs) {
      program_.programEntry.push_back(here());
      emit(root);
      add(Op::End);
    }
    // Bodies of functions may call further functions, so the list of bodies is fixed before the
    // first.
    visits_.assign(graph_.functions.size(), Visit::Ahead);
    for (std::size_t f = 0; f < graph_.functions.size(); ++f)
      checkRecursion(f);
    for (std::size_t f = 0; f < graph_.functions.size(); ++f) {
      program_.functionEntry.push_back(here());
      emit(graph_.functions[f]);
      add(Op::Return, static_cast<std::uint32_t>(f));
    }
  }

  void operator()(const node::Sequence& n) {
    for (const ProgramPtr& step : n.steps)
      emit(step);
  }
  void operator()(const node::Block& n) {
    add(Op::BlockBegin);
    emit(n.body);
    add(Op::BlockEnd);
  }
  void operator()(const node::Execute& n) {
    add(Op::Execute, n.computeSet.value, n.exitValue ? copies_.scalar(*n.exitValue) : kNoScalar);
  }
  void operator()(const node::CopyTensor& n) {
    const LoweredCopy copy = copies_.tensorCopy(*node_, n);
    add(copy.through == kNoMoves ? Op::Copy : Op::CopyOverlapping, copy.moves, copy.through);
  }
  void operator()(const node::CopyFromStream& n) {
    add(Op::StreamIn, n.stream.value, copies_.fromPacked(*node_, n.destination));
  }
  void operator()(const node::CopyToStream& n) {
    add(Op::StreamOut, n.stream.value, copies_.toPacked(*node_, n.source));
  }
  void operator()(const node::CopyFromRemote& n) {
    add(Op::RemoteIn,
        copies_.remoteCopy(n.buffer, n.destination, n.rows, RemoteDirection::FromRemote));
  }
  void operator()(const node::CopyToRemote& n) {
    add(Op::RemoteOut, copies_.remoteCopy(n.buffer, n.source, n.rows, RemoteDirection::ToRemote));
  }
  void operator()(const node::CrossReplicaCopy& n) {
    add(Op::CrossReplicaCopy, copies_.crossReplica(n));
  }
  void operator()(const node::Repeat& n) {
    if (n.count == 0 || !n.body)
      return;
    const std::uint32_t counter = program_.numCounters++;
    const std::uint32_t begin = add(Op::LoopBegin, counter, n.count);
    emit(n.body);
    add(Op::LoopEnd, counter, 0, begin + 1);
    at(begin).c = here();
  }
  void operator()(const node::RepeatWhile& n) {
    const std::uint32_t begin = here();
    emit(n.condition);
    const std::uint32_t exit =
        add(n.whileTrue ? Op::JumpIfFalse : Op::JumpIfTrue, copies_.scalar(n.predicate));
    emit(n.body);
    add(Op::Jump, 0, 0, begin);
    at(exit).c = here();
  }
  void operator()(const node::If& n) {
    const std::uint32_t test = add(Op::JumpIfFalse, copies_.scalar(n.predicate));
    emit(n.thenBody);
    if (!n.elseBody) {
      at(test).c = here();
      return;
    }
    const std::uint32_t skip = add(Op::Jump);
    at(test).c = here();
    emit(n.elseBody);
    at(skip).c = here();
  }
  void operator()(const node::Switch& n) {
    const auto table = static_cast<std::uint32_t>(program_.switches.size());
    program_.switches.emplace_back();
    const std::uint32_t scalar = copies_.scalar(n.control);
    program_.switches[table].scalar = scalar;
    add(Op::Switch, table);
    std::vector<std::pair<std::int32_t, std::uint32_t>> cases;
    std::vector<std::uint32_t> exits;
    for (const auto& [value, body] : n.cases) {
      cases.emplace_back(value, here());
      emit(body);
      exits.push_back(add(Op::Jump));
    }
    const std::uint32_t otherwise = here();
    if (n.boundsChecked && !n.defaultCase)
      add(Op::NoSwitchCase, scalar);
    emit(n.defaultCase);
    for (const std::uint32_t exit : exits)
      at(exit).c = here();
    std::sort(cases.begin(), cases.end());
    program_.switches[table].cases = std::move(cases);
    program_.switches[table].otherwise = otherwise;
  }
  void operator()(const node::CallFunction& n) { add(Op::Call, n.function.value); }
  void operator()(const node::CallHostFunction& n) { add(Op::HostCall, copies_.hostCall(n)); }
  void operator()(const node::Sync& n) { add(Op::Sync, n.external ? 1 : 0); }
  void operator()(const node::WriteUndef&) { add(Op::WriteUndef); }
  void operator()(const node::PrintTensor& n) { add(Op::Print, copies_.print(n)); }
  void operator()(const node::Abort& n) { add(Op::Abort, text(n.message)); }
  void operator()(const node::AbortOnCondition& n) {
    add(Op::AbortIf, copies_.scalar(n.predicate), text(n.message));
  }
  void operator()(const node::AssumeEqualAcrossReplicas&) { add(Op::AssumeEqual); }
  void operator()(const node::CycleCount& n) {
    const std::uint32_t counter = program_.numCycleCounters++;
    add(Op::CycleBegin, counter);
    emit(n.body);
    add(Op::CycleEnd, counter, copies_.fromPacked(*node_, n.destination));
  }
  void operator()(const node::CycleStamp& n) {
    add(Op::CycleStamp, program_.numCycleCounters++, copies_.fromPacked(*node_, n.destination));
  }

private:
  void emit(const ProgramPtr& program) {
    if (!program)
      return;
    const ProgramNode* const outer = node_;
    const std::uint32_t outerName = name_;
    node_ = program.get();
    name_ = nameOf(node_->name);
    std::visit(*this, program->op);
    node_ = outer;
    name_ = outerName;
  }

  std::uint32_t add(Op op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
    program_.code.push_back({op, a, b, c, name_});
    program_.nodes.push_back(node_);
    return here() - 1;
  }

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  Instruction& at(std::uint32_t index) { return program_.code[index]; }

  std::uint32_t nameOf(const std::string& name) {
    if (name.empty())
      return name_;
    const auto [it, isNew] =
        nameIndex_.try_emplace(name, static_cast<std::uint32_t>(program_.names.size()));
    if (isNew)
      program_.names.push_back(name);
    return it->second;
  }

  std::uint32_t text(const std::string& message) {
    program_.texts.push_back(message);
    return static_cast<std::uint32_t>(program_.texts.size() - 1);
  }

  void checkRecursion(std::size_t function) {
    if (visits_[function] == Visit::Begun)
      throw poplar::graph_recursion_error("function " + std::to_string(function) + " calls itself");
    if (visits_[function] == Visit::Done)
      return;
    visits_[function] = Visit::Begun;
    visitCalls(graph_.functions[function]);
    visits_[function] = Visit::Done;
  }

  void visitCalls(const ProgramPtr& program) {
    if (!program)
      return;
    const auto visitor = [&](const auto& n) {
      using N = std::decay_t<decltype(n)>;
      if constexpr (std::is_same_v<N, node::CallFunction>)
        checkRecursion(n.function.value);
      else if constexpr (std::is_same_v<N, node::Sequence>)
        for (const ProgramPtr& step : n.steps)
          visitCalls(step);
      else if constexpr (std::is_same_v<N, node::If>) {
        visitCalls(n.thenBody);
        visitCalls(n.elseBody);
      } else if constexpr (std::is_same_v<N, node::Switch>) {
        for (const auto& [value, body] : n.cases)
          visitCalls(body);
        visitCalls(n.defaultCase);
      } else if constexpr (std::is_same_v<N, node::RepeatWhile>) {
        visitCalls(n.condition);
        visitCalls(n.body);
      } else if constexpr (std::is_same_v<N, node::Repeat> || std::is_same_v<N, node::Block> ||
                           std::is_same_v<N, node::CycleCount>)
        visitCalls(n.body);
    };
    std::visit(visitor, program->op);
  }

  const GraphData& graph_;
  LoweredProgram& program_;
  CopyLowering copies_;
  const ProgramNode* node_ = nullptr;
  std::uint32_t name_ = 0;
  std::unordered_map<std::string, std::uint32_t> nameIndex_;
  enum class Visit : std::uint8_t { Ahead, Begun, Done };
  std::vector<Visit> visits_; // by function
};

} // namespace

void lowerPrograms(const GraphData& graph, const std::vector<ProgramPtr>& programs,
                   const VariableOffsets& offsets, LoweredProgram& program) {
  ProgramLowering(graph, offsets, program).run(programs);
}

} // namespace ipumodel
