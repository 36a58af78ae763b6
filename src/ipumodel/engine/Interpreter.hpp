// Runs a lowered program on its replicas.
#pragma once

#include "engine/ComputeSetRunner.hpp"
#include "engine/HostSide.hpp"
#include "engine/RemoteTransfers.hpp"
#include "engine/Replica.hpp"
#include "engine/ReplicaLink.hpp"
#include "engine/StopWatch.hpp"
#include "engine/ThreadTeam.hpp"
#include "lower/LoweredProgram.hpp"
#include "profile/Account.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace ipumodel {

// Told which steps replica 0 executed; steps[i] is the step of instruction i. Each may be null.
struct Observer {
  Account* account = nullptr;
  const std::vector<StepId>* steps = nullptr;
  StopWatch* watch = nullptr;
};

class Interpreter {
public:
  // link: to the processes that run the graph's other replicas, or null. REQUIRES: all arguments
  // outlive the interpreter.
  Interpreter(const LoweredProgram& program, std::vector<Replica>& replicas, ReplicaLink* link,
              HostSide& host, ThreadTeam& team, RemoteOverlap overlap);

  // Runs a program to its end. A replica runs until it needs the outside (a stream, a host function
  // or another replica); there the replicas meet, so that the outside sees them in order.
  void run(unsigned programIndex, Observer observer);

  TransferStalls transferStalls() const { return remote_.stalls(); }

  // From any thread: makes run() return at the next instruction.
  void stop() { stopRequested_.store(true, std::memory_order_relaxed); }

private:
  enum class Pause { AtOutside, AtEnd };

  void runToEnd();

  Pause runReplica(Replica& replica);
  std::uint32_t next(std::uint32_t pc, Replica& replica);
  void perform(std::uint32_t pc, Replica& replica);
  void runOutside(Replica& replica);
  void crossReplicaCopy(const CrossReplicaMoves& moves);
  Replica* localReplica(unsigned globalIndex); // null: of another process
  void print(const PrintRequest& request, const Replica& replica);
  void writeCycles(std::uint64_t cycles, std::uint32_t moves, const Replica& replica);
  std::uint64_t cycleNow() const;
  [[noreturn]] void abort(const Instruction& instruction, const std::string& message) const;

  void report(std::uint32_t pc, const Replica& replica) {
    if (replica.index != 0)
      return;
    if (observer_.watch)
      observer_.watch->lap(pc);
    if (observer_.account)
      observer_.account->executed((*observer_.steps)[pc], Account::Answers::Written);
  }

  const LoweredProgram& program_;
  std::vector<Replica>& replicas_;
  ReplicaLink* link_;
  HostSide& host_;
  ThreadTeam& team_;
  ComputeSetRunner computeSets_;
  RemoteTransfers remote_;
  struct CycleCounter {
    std::uint64_t begin, cycles;
  };
  std::vector<CycleCounter> cycleCounters_; // replica 0's: the clock goes on with it alone
  std::vector<std::byte> packed_;           // for prints and cross-replica copies
  Observer observer_;
  std::atomic<bool> stopRequested_{false};
};

} // namespace ipumodel
