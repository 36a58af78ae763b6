// What a poplar::Engine owns: an executable, the memory it runs in, and its connections to the
// host.
#pragma once

#include "engine/EngineOptions.hpp"
#include "engine/ExecutableData.hpp"
#include "engine/HostSide.hpp"
#include "engine/Interpreter.hpp"
#include "engine/Replica.hpp"
#include "engine/ReplicaLink.hpp"
#include "engine/StopWatch.hpp"
#include "engine/ThreadTeam.hpp"
#include "profile/Account.hpp"
#include "profile/Profile.hpp"

#include <poplar/Target.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ipumodel {

class EngineImpl {
public:
  EngineImpl(std::shared_ptr<const ExecutableData> executable, const EngineOptions& options);
  ~EngineImpl();
  EngineImpl(const EngineImpl&) = delete;
  EngineImpl& operator=(const EngineImpl&) = delete;

  // Throws poplar::poplar_error when the executable was made for another machine.
  void load(const poplar::Target& device);
  void run(unsigned program, const std::string& name);
  void stop();

  // One replica after another. A null end stands for "as long as needed".
  // Of this process, once loaded.
  std::size_t numReplicas() const { return replicas_.size(); }
  void readTensor(const std::string& handle, void* begin, void* end);
  void writeTensor(const std::string& handle, const void* begin, const void* end);

  // Throws poplar::stream_connection_error for an unknown buffer, a row or a replica out of range.
  void readRemote(const std::string& handle, std::uint64_t row, unsigned replica, void* to);
  void writeRemote(const std::string& handle, std::uint64_t row, unsigned replica,
                   const void* from);
  TransferStalls transferStalls() const;

  HostSide& host() { return host_; }
  const ExecutableData& executable() const { return *executable_; }
  const EngineOptions& options() const { return options_; }

  // Null when accounting is off.
  Account* account() { return account_.get(); }
  // Made when first asked for.
  Profiler& profiler();
  void setProfiling(bool enabled) { profiling_ = enabled; }

private:
  const LoweredProgram& program() const { return executable_->program; }
  // How many of the graph's replicas run in this process, of a device with so many IPUs.
  unsigned numLocalReplicas(const poplar::Target& device);
  void makeReplicas(unsigned numReplicas);
  void makeAccount();
  RemoteStore& remoteStore(const std::string& handle, std::uint64_t row, unsigned replica);
  void writeTimes() const;
  const LoweredHostAccess& hostAccess(const std::string& handle) const;

  std::shared_ptr<const ExecutableData> executable_;
  EngineOptions options_;
  HostSide host_;
  ThreadTeam team_;
  std::unique_ptr<ReplicaLink> link_; // where other processes run replicas as well
  std::vector<Replica> replicas_;
  std::optional<Interpreter> interpreter_;
  bool isLoaded_ = false;
  bool profiling_ = true;
  std::unique_ptr<Profiler> profiler_;
  std::vector<StepId> stepOf_; // by instruction
  std::unique_ptr<Account> account_;
  std::optional<StopWatch> watch_; // where a file for times was asked for
};

} // namespace ipumodel
