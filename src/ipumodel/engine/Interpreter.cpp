#include "engine/Interpreter.hpp"

#include "engine/CopyKernel.hpp"
#include "engine/PrintTensor.hpp"
#include "engine/SubnormalsAreZero.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace ipumodel {

namespace {

std::uint32_t target(const SwitchTable& table, std::int64_t value) {
  const auto it =
      std::lower_bound(table.cases.begin(), table.cases.end(), value,
                       [](const auto& entry, std::int64_t v) { return entry.first < v; });
  return it != table.cases.end() && it->first == value ? it->second : table.otherwise;
}

} // namespace

Interpreter::Interpreter(const LoweredProgram& program, std::vector<Replica>& replicas,
                         ReplicaLink* link, HostSide& host, ThreadTeam& team, RemoteOverlap overlap)
    : program_(program),
      replicas_(replicas),
      link_(link),
      host_(host),
      team_(team),
      computeSets_(program, team),
      remote_(program, team, overlap),
      cycleCounters_(program.numCycleCounters) {
  std::uint64_t packedBytes = 0;
  for (const PrintRequest& request : program.prints)
    packedBytes = std::max(packedBytes, request.gather.bytes);
  for (const CrossReplicaMoves& moves : program.crossReplicaCopies)
    packedBytes = std::max(packedBytes, moves.gather.bytes * moves.sourceOf.size());
  packed_.resize(packedBytes);
}

void Interpreter::run(unsigned programIndex, Observer observer) {
  const SubnormalsAreZero here; // as on the team's threads
  observer_ = observer;
  stopRequested_.store(false, std::memory_order_relaxed);
  for (Replica& replica : replicas_)
    replica.pc = program_.programEntry[programIndex];
  remote_.begin();
  runToEnd();
  for (Replica& replica : replicas_)
    remote_.finish(replica);
}

void Interpreter::runToEnd() {
  while (true) {
    bool allEnded = true;
    for (Replica& replica : replicas_)
      if (runReplica(replica) == Pause::AtOutside)
        allEnded = false;
    if (allEnded || stopRequested_.load(std::memory_order_relaxed))
      return;
    // Either all replicas meet at one cross-replica copy, or each has its own business outside.
    const bool anyMeets = std::any_of(replicas_.begin(), replicas_.end(), [&](const Replica& r) {
      return program_.code[r.pc].op == Op::CrossReplicaCopy;
    });
    const bool allMeet = std::all_of(replicas_.begin(), replicas_.end(), [&](const Replica& r) {
      return r.pc == replicas_.front().pc;
    });
    if (anyMeets && allMeet) {
      const std::uint32_t pc = replicas_.front().pc;
      crossReplicaCopy(program_.crossReplicaCopies[program_.code[pc].a]);
      report(pc, replicas_.front());
      for (Replica& replica : replicas_)
        ++replica.pc;
      continue;
    }
    bool moved = false;
    for (Replica& replica : replicas_) {
      const Op op = program_.code[replica.pc].op;
      if (op != Op::CrossReplicaCopy && op != Op::End) {
        runOutside(replica);
        moved = true;
      }
    }
    if (!moved)
      throw poplar::application_runtime_error(
          "replicas wait for each other at different cross-replica copies");
  }
}

// Executes the one instruction that runReplica stopped at.
void Interpreter::runOutside(Replica& replica) {
  const Instruction& in = program_.code[replica.pc];
  if (in.op == Op::StreamIn)
    host_.streams.toDevice(in.a, program_.moveLists[in.b], replica, team_);
  else if (in.op == Op::StreamOut)
    host_.streams.fromDevice(in.a, program_.moveLists[in.b], replica, team_);
  else
    host_.functions.call(program_.hostCalls[in.a], replica);
  report(replica.pc, replica);
  ++replica.pc;
}

Interpreter::Pause Interpreter::runReplica(Replica& replica) {
  const Instruction* const code = program_.code.data();
  const bool isAlone = replicas_.size() == 1;
  std::uint32_t pc = replica.pc;
  while (true) {
    const Instruction& in = code[pc];
    if (stopRequested_.load(std::memory_order_relaxed))
      return Pause::AtEnd;
    remote_.before(pc, replica);
    switch (in.op) {
    case Op::StreamIn:
    case Op::StreamOut:
    case Op::HostCall:
    case Op::CrossReplicaCopy:
      replica.pc = pc;
      if (!isAlone || in.op == Op::CrossReplicaCopy)
        return Pause::AtOutside;
      runOutside(replica);
      ++pc;
      break;
    case Op::End:
      replica.pc = pc;
      return Pause::AtEnd;
    case Op::LoopBegin:
    case Op::LoopEnd:
    case Op::Jump:
    case Op::JumpIfTrue:
    case Op::JumpIfFalse:
    case Op::Switch:
    case Op::Call:
    case Op::Return:
      pc = next(pc, replica);
      break;
    default:
      perform(pc, replica);
      ++pc;
    }
  }
}

// Where control goes from an instruction that decides it.
std::uint32_t Interpreter::next(std::uint32_t pc, Replica& replica) {
  const Instruction& in = program_.code[pc];
  switch (in.op) {
  case Op::LoopBegin:
    replica.counters[in.a] = in.b;
    report(pc, replica);
    return pc + 1;
  case Op::LoopEnd:
    return --replica.counters[in.a] != 0 ? in.c : pc + 1;
  case Op::JumpIfTrue:
  case Op::JumpIfFalse:
    report(pc, replica);
    return isTrue(program_.scalars[in.a], replica) == (in.op == Op::JumpIfTrue) ? in.c : pc + 1;
  case Op::Switch: {
    const SwitchTable& table = program_.switches[in.a];
    report(pc, replica);
    return target(table, integerValue(program_.scalars[table.scalar], replica));
  }
  case Op::Call:
    replica.returnAddresses[in.a] = pc + 1;
    return program_.functionEntry[in.a];
  case Op::Return:
    return replica.returnAddresses[in.a];
  default: // Jump
    return in.c;
  }
}

// An instruction that stays on this device and is followed by the one behind it.
void Interpreter::perform(std::uint32_t pc, Replica& replica) {
  const Instruction& in = program_.code[pc];
  std::byte* const variables = replica.variables.data();
  switch (in.op) {
  case Op::Execute: {
    const bool asks = observer_.account != nullptr && replica.index == 0;
    const bool allTrue = computeSets_.run(
        in.a, replica,
        asks ? observer_.account->answersOf((*observer_.steps)[pc]) : ComputeSetRunner::Answers());
    if (in.b != kNoScalar)
      setScalar(program_.scalars[in.b], replica, allTrue);
    break;
  }
  case Op::Copy:
    runMoves(program_.moveLists[in.a], variables, variables, team_);
    break;
  case Op::CopyOverlapping:
    runMoves(program_.moveLists[in.a], variables, replica.scratch.data(), team_);
    runMoves(program_.moveLists[in.b], replica.scratch.data(), variables, team_);
    break;
  case Op::RemoteIn:
    remote_.read(in.a, replica);
    break;
  case Op::RemoteOut:
    remote_.write(in.a, replica);
    break;
  case Op::Print:
    print(program_.prints[in.a], replica);
    break;
  case Op::Abort:
    abort(in, program_.texts[in.a]);
  case Op::AbortIf:
    report(pc, replica);
    if (isTrue(program_.scalars[in.a], replica))
      abort(in, program_.texts[in.b]);
    return;
  case Op::NoSwitchCase:
    abort(in, "a switch has no case for " +
                  std::to_string(integerValue(program_.scalars[in.a], replica)));
  case Op::CycleBegin:
    if (replica.index == 0)
      cycleCounters_[in.a].begin = cycleNow();
    return;
  case Op::CycleEnd:
    if (replica.index == 0)
      cycleCounters_[in.a].cycles = cycleNow() - cycleCounters_[in.a].begin;
    return writeCycles(cycleCounters_[in.a].cycles, in.b, replica);
  case Op::CycleStamp:
    if (replica.index == 0)
      cycleCounters_[in.a].cycles = cycleNow();
    return writeCycles(cycleCounters_[in.a].cycles, in.b, replica);
  case Op::BlockBegin:
    if (observer_.account && replica.index == 0)
      observer_.account->blockBegins((*observer_.steps)[pc]);
    return;
  case Op::BlockEnd:
    if (observer_.account && replica.index == 0)
      observer_.account->blockEnds();
    return;
  default: // Sync, WriteUndef, AssumeEqual: nothing to do here
    break;
  }
  report(pc, replica);
}

Replica* Interpreter::localReplica(unsigned globalIndex) {
  const unsigned index = globalIndex - replicas_.front().globalIndex;
  return index < replicas_.size() ? &replicas_[index] : nullptr;
}

void Interpreter::crossReplicaCopy(const CrossReplicaMoves& moves) {
  // All sources are read before the first destination is written. What moves between other
  // processes has no part here.
  std::vector<ReplicaLink::Message> sent, received;
  std::byte* part = packed_.data();
  int tag = 0;
  for (const auto& [destination, source] : moves.sourceOf) {
    const Replica* from = localReplica(source);
    const Replica* to = localReplica(destination);
    const auto numHere = static_cast<unsigned>(replicas_.size());
    if (from)
      runMoves(moves.gather, from->variables.data(), part, team_);
    if (from && !to)
      sent.push_back({destination / numHere, tag, part, moves.gather.bytes});
    if (to && !from)
      received.push_back({source / numHere, tag, part, moves.gather.bytes});
    part += moves.gather.bytes;
    ++tag;
  }
  if (link_)
    link_->exchange(sent, received);
  part = packed_.data();
  for (const auto& [destination, source] : moves.sourceOf) {
    if (const Replica* to = localReplica(destination))
      runMoves(moves.scatter, part, to->variables.data(), team_);
    part += moves.gather.bytes;
  }
}

void Interpreter::print(const PrintRequest& request, const Replica& replica) {
  runMoves(request.gather, replica.variables.data(), packed_.data());
  std::string title = request.title;
  if (replicas_.size() > 1)
    title += " (replica " + std::to_string(replica.index) + ")";
  printTensor(*host_.printStream, title, request.type, request.shape, packed_.data(),
              request.format);
}

void Interpreter::writeCycles(std::uint64_t cycles, std::uint32_t moves, const Replica& replica) {
  std::byte words[sizeof cycles];
  std::memcpy(words, &cycles, sizeof cycles);
  runMoves(program_.moveLists[moves], words, replica.variables.data());
}

// Without an account there are no modelled cycles; the host's clock, in nanoseconds, stands in for
// them.
std::uint64_t Interpreter::cycleNow() const {
  if (observer_.account)
    return observer_.account->cycles();
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

void Interpreter::abort(const Instruction& instruction, const std::string& message) const {
  const std::string& name = program_.names[instruction.name];
  throw poplar::application_runtime_error(
      (message.empty() ? std::string("the program aborted") : message) +
      (name.empty() ? "" : " (in '" + name + "')"));
}

} // namespace ipumodel
