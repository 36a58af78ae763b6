#include "engine/EngineImpl.hpp"

#include "engine/CopyKernel.hpp"
#include "profile/EngineReports.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace ipumodel {

EngineImpl::EngineImpl(std::shared_ptr<const ExecutableData> executable,
                       const EngineOptions& options)
    : executable_(std::move(executable)),
      options_(options),
      host_(executable_->program, options.enablePrefetch ? Prefetch::On : Prefetch::Off),
      team_(options.numThreads ? options.numThreads : ThreadTeam::availableCores()) {}

EngineImpl::~EngineImpl() {
  host_.streams.invalidatePrefetched();
  try {
    writeAutoReport(*this);
    writeTimes();
  } catch (const std::exception& error) { // a destructor has nobody else to tell
    std::cerr << "the report was not written: " << error.what() << '\n';
  }
}

// An instruction goes by its program's name; one without, by its compute set's or its kind.
void EngineImpl::writeTimes() const {
  if (!watch_)
    return;
  std::ofstream out(options_.timesFile);
  watch_->write(out, [&](std::size_t instruction) -> std::string {
    const auto& nodes = program().nodes;
    const ProgramNode* node = instruction < nodes.size() ? nodes[instruction] : nullptr;
    if (!node)
      return "instruction " + std::to_string(instruction);
    if (const auto* execute = std::get_if<node::Execute>(&node->op))
      return executable_->graph->computeSets[execute->computeSet.value].name;
    return node->name.empty() ? "copy or control" : node->name;
  });
  if (!out.flush())
    throw poplar::runtime_error("cannot write '" + options_.timesFile + "'");
}

void EngineImpl::makeReplicas(unsigned numReplicas) {
  if (!replicas_.empty())
    return;
  replicas_.reserve(numReplicas);
  const unsigned first = link_ ? link_->process() * numReplicas : 0;
  if (options_.firstReplica.value_or(first) != first ||
      options_.numReplicas.value_or(numReplicas) != numReplicas)
    throw poplar::poplar_error(
        "target.firstRuntimeReplica and target.numberRuntimeReplica say " +
        std::to_string(options_.numReplicas.value_or(numReplicas)) + " replicas from " +
        std::to_string(options_.firstReplica.value_or(first)) + " on; this process has " +
        std::to_string(numReplicas) + " from " + std::to_string(first) + " on");
  for (unsigned index = 0; index < numReplicas; ++index)
    replicas_.emplace_back(program(), index, first,
                           ReplicaMemory{options_.remoteBufferFolder, options_.partlyUsed});
  interpreter_.emplace(program(), replicas_, link_.get(), host_, team_,
                       options_.overlapRemote ? RemoteOverlap::On : RemoteOverlap::Off);
  if (!options_.timesFile.empty())
    watch_.emplace(program().code.size());
}

unsigned EngineImpl::numLocalReplicas(const poplar::Target& device) {
  const poplar::Target& wanted = executable_->target;
  const unsigned factor = program().replicationFactor;
  const unsigned fits = std::min(device.getNumIPUs() / wanted.getNumIPUs(), factor);
  if (device.getTilesPerIPU() >= wanted.getTilesPerIPU() && fits == factor)
    return factor;
  // A device with fewer IPUs is one of several processes' that have equal shares.
  if (device.getTilesPerIPU() >= wanted.getTilesPerIPU() && fits != 0 && !link_)
    link_ = openReplicaLink();
  const unsigned numProcesses = link_ ? link_->numProcesses() : 1;
  if (fits * numProcesses != factor || device.getTilesPerIPU() < wanted.getTilesPerIPU())
    throw poplar::poplar_error(
        "the graph was compiled for " + std::to_string(wanted.getNumIPUs() * factor) + " IPUs of " +
        std::to_string(wanted.getTilesPerIPU()) + " tiles; the device has " +
        std::to_string(device.getNumIPUs()) + " of " + std::to_string(device.getTilesPerIPU()) +
        (link_ ? ", and there are " + std::to_string(numProcesses) + " processes" : ""));
  return fits;
}

void EngineImpl::load(const poplar::Target& device) {
  const unsigned numReplicas = numLocalReplicas(device);
  if (!replicas_.empty() && replicas_.size() != numReplicas)
    throw poplar::poplar_error("remote buffers of a graph that several processes run were used "
                               "before Engine::load");
  host_.streams.invalidatePrefetched();
  if (replicas_.empty())
    makeReplicas(numReplicas);
  else
    for (Replica& replica : replicas_)
      replica.reset(program());
  makeAccount();
  isLoaded_ = true;
}

Profiler& EngineImpl::profiler() {
  if (!profiler_)
    profiler_ =
        std::make_unique<Profiler>(*executable_->graph, executable_->programs, options_.machine);
  return *profiler_;
}

void EngineImpl::makeAccount() {
  account_.reset();
  if (!options_.account || executable_->target.getTargetType() == poplar::TargetType::CPU)
    return;
  if (stepOf_.empty())
    for (const ProgramNode* node : program().nodes)
      stepOf_.push_back(node ? profiler().steps().of(*node) : StepId{});
  account_ = profiler().makeAccount();
  for (std::size_t set = 0; set < program().computeSets.size(); ++set) {
    std::vector<VertexBatch> batches;
    for (const VertexGroup& group : program().computeSets[set].groups)
      batches.push_back({group.type, replicas_.front().image.data() + group.offset, group.stride,
                         group.vertices});
    account_->bind(ComputeSetId{static_cast<std::uint32_t>(set)}, batches);
  }
  const auto& code = program().code;
  const bool readsClock = std::any_of(code.begin(), code.end(), [](const Instruction& instruction) {
    return instruction.op == Op::CycleEnd || instruction.op == Op::CycleStamp;
  });
  if (readsClock || hasTransfersBeside(*executable_->graph, profiler().steps()))
    account_->startClock(profiler().costs());
}

void EngineImpl::run(unsigned programIndex, const std::string& name) {
  if (!isLoaded_)
    throw poplar::poplar_error("Engine::run before Engine::load");
  if (programIndex >= program().programEntry.size())
    throw poplar::poplar_error("program " + std::to_string(programIndex) +
                               " does not exist; the engine has " +
                               std::to_string(program().programEntry.size()));
  Account* const account = profiling_ ? account_.get() : nullptr;
  StopWatch* const watch = watch_ ? &*watch_ : nullptr;
  if (watch)
    watch->start();
  if (!account) {
    interpreter_->run(programIndex, {nullptr, nullptr, watch});
    return;
  }
  account->beginRun(programIndex, name);
  try {
    interpreter_->run(programIndex, {account, &stepOf_, watch});
  } catch (...) { // an aborted run is on record as far as it went
    account->endRun();
    throw;
  }
  account->endRun();
}

void EngineImpl::stop() {
  if (interpreter_)
    interpreter_->stop();
}

const LoweredHostAccess& EngineImpl::hostAccess(const std::string& handle) const {
  for (const LoweredHostAccess& access : program().hostAccess)
    if (access.handle == handle)
      return access;
  throw poplar::stream_connection_error("there is no host read or write '" + handle +
                                        "' in the graph");
}

namespace {

void checkSize(const std::string& handle, const void* begin, const void* end,
               std::uint64_t needed) {
  if (!end)
    return;
  const auto bytes = static_cast<std::uint64_t>(static_cast<const std::byte*>(end) -
                                                static_cast<const std::byte*>(begin));
  if (bytes != needed)
    throw poplar::stream_connection_error("tensor '" + handle + "' has " + std::to_string(needed) +
                                          " bytes over all replicas; the buffer has " +
                                          std::to_string(bytes));
}

} // namespace

void EngineImpl::readTensor(const std::string& handle, void* begin, void* end) {
  const LoweredHostAccess& access = hostAccess(handle);
  if (!access.canRead)
    throw poplar::stream_connection_error("'" + handle + "' was not created with createHostRead");
  if (!isLoaded_)
    throw poplar::poplar_error("Engine::readTensor('" + handle + "') before Engine::load");
  checkSize(handle, begin, end, access.bytes * replicas_.size());
  auto* to = static_cast<std::byte*>(begin);
  for (const Replica& replica : replicas_) {
    runMoves(access.read, replica.variables.data(), to, team_);
    to += access.bytes;
  }
}

void EngineImpl::writeTensor(const std::string& handle, const void* begin, const void* end) {
  const LoweredHostAccess& access = hostAccess(handle);
  if (!access.canWrite)
    throw poplar::stream_connection_error("'" + handle + "' was not created with createHostWrite");
  if (!isLoaded_)
    throw poplar::poplar_error("Engine::writeTensor('" + handle + "') before Engine::load");
  checkSize(handle, begin, end, access.bytes * replicas_.size());
  const MoveList write = reversed(access.read);
  const auto* from = static_cast<const std::byte*>(begin);
  for (const Replica& replica : replicas_) {
    runMoves(write, from, replica.variables.data(), team_);
    from += access.bytes;
  }
}

RemoteStore& EngineImpl::remoteStore(const std::string& handle, std::uint64_t row,
                                     unsigned replica) {
  const auto& buffers = program().remoteBuffers;
  const auto found =
      std::find_if(buffers.begin(), buffers.end(),
                   [&](const LoweredRemoteBuffer& buffer) { return buffer.handle == handle; });
  if (found == buffers.end())
    throw poplar::stream_connection_error("there is no remote buffer '" + handle +
                                          "' in the graph");
  const auto numReplicas =
      replicas_.empty() ? program().replicationFactor : static_cast<unsigned>(replicas_.size());
  if (replica >= numReplicas)
    throw poplar::stream_connection_error("remote buffer '" + handle + "' has no replica " +
                                          std::to_string(replica) + "; there are " +
                                          std::to_string(numReplicas));
  if (row >= found->rows)
    throw poplar::stream_connection_error("remote buffer '" + handle + "': row " +
                                          std::to_string(row) + " is not in 0.." +
                                          std::to_string(found->rows - 1));
  makeReplicas(program().replicationFactor); // the host may fill a buffer before a load
  return replicas_[replica].remoteBuffers[static_cast<std::size_t>(found - buffers.begin())];
}

void EngineImpl::readRemote(const std::string& handle, std::uint64_t row, unsigned replica,
                            void* to) {
  remoteStore(handle, row, replica).read(row, static_cast<std::byte*>(to));
}

void EngineImpl::writeRemote(const std::string& handle, std::uint64_t row, unsigned replica,
                             const void* from) {
  remoteStore(handle, row, replica).write(row, static_cast<const std::byte*>(from));
}

TransferStalls EngineImpl::transferStalls() const {
  TransferStalls stalls = interpreter_ ? interpreter_->transferStalls() : TransferStalls{};
  if (account_) {
    stalls.stalledCycles = account_->link().stalledCycles();
    stalls.hiddenCycles = account_->link().hiddenCycles();
  }
  return stalls;
}

} // namespace ipumodel
