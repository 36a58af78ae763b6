#include "engine/RemoteTransfers.hpp"

#include "engine/CopyKernel.hpp"
#include "engine/RemoteWaits.hpp"

#include <poplar/exceptions.hpp>

#include <chrono>

namespace ipumodel {

namespace {

// Adds the time of its life.
class Stopwatch {
public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace

RemoteTransfers::RemoteTransfers(const LoweredProgram& program, ThreadTeam& team,
                                 RemoteOverlap overlap)
    : program_(program), team_(team) {
  if (overlap == RemoteOverlap::Off || program.replicationFactor != 1 ||
      program.remoteCopies.empty())
    return;
  waits_ = remoteWaits(program);
  if (!waits_.empty())
    channel_ = std::make_unique<TransferChannel>();
}

void RemoteTransfers::begin() {
  pending_ = 0;
  if (channel_)
    channel_->drain();
}

void RemoteTransfers::findRows(const RemoteCopy& copy, const Replica& replica) {
  const LoweredRemoteBuffer& buffer = program_.remoteBuffers[copy.buffer];
  rows_.clear();
  for (std::size_t i = 0; i < copy.rows.size(); ++i) {
    std::int64_t row = 0;
    if (copy.rowsVariableOffset != kNoScalar)
      row = integerValue(program_.rowOffsets[copy.rowsVariableOffset].elements[i], replica);
    if (row < 0 || static_cast<std::uint64_t>(row) >= buffer.rows)
      throw poplar::application_runtime_error("remote buffer '" + buffer.handle + "': row " +
                                              std::to_string(row) + " is not in 0.." +
                                              std::to_string(buffer.rows - 1));
    rows_.push_back(static_cast<std::uint64_t>(row));
  }
}

void RemoteTransfers::read(std::uint32_t index, Replica& replica) {
  const RemoteCopy& copy = program_.remoteCopies[index];
  RemoteStore& store = replica.remoteBuffers[copy.buffer];
  findRows(copy, replica);
  if (channel_) {
    channel_->startRead(store, rows_);
    pending_ = std::uint64_t{1} << index;
    pendingCopy_ = index;
    return;
  }
  const Stopwatch watch(stalls_.seconds);
  ++stalls_.numTransfers;
  ++stalls_.numStalls;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::byte* from = store.inMemory(rows_[i]);
    if (from == nullptr) {
      std::byte* const staging = staging_.withRoomFor(store.rowBytes());
      store.read(rows_[i], staging);
      from = staging;
    }
    runMoves(copy.rows[i], from, replica.variables.data(), team_);
  }
}

void RemoteTransfers::write(std::uint32_t index, Replica& replica) {
  const RemoteCopy& copy = program_.remoteCopies[index];
  RemoteStore& store = replica.remoteBuffers[copy.buffer];
  findRows(copy, replica);
  if (channel_) {
    std::byte* to = channel_->outgoing(store.rowBytes() * rows_.size());
    for (const MoveList& row : copy.rows) {
      runMoves(row, replica.variables.data(), to, team_);
      to += store.rowBytes();
    }
    channel_->startWrite(store, rows_);
    return;
  }
  const Stopwatch watch(stalls_.seconds);
  ++stalls_.numTransfers;
  ++stalls_.numStalls;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::byte* const inMemory = store.inMemory(rows_[i]);
    std::byte* const to = inMemory ? inMemory : staging_.withRoomFor(store.rowBytes());
    runMoves(copy.rows[i], replica.variables.data(), to, team_);
    if (!inMemory)
      store.write(rows_[i], to);
  }
}

void RemoteTransfers::finishRead(Replica& replica) {
  pending_ = 0;
  const RemoteCopy& copy = program_.remoteCopies[pendingCopy_];
  const std::byte* from = channel_->finishRead();
  for (const MoveList& row : copy.rows) {
    runMoves(row, from, replica.variables.data(), team_);
    from += replica.remoteBuffers[copy.buffer].rowBytes();
  }
  channel_->endRead();
}

void RemoteTransfers::finish(Replica& replica) {
  if (!channel_)
    return;
  if (pending_ != 0)
    finishRead(replica);
  channel_->drain();
}

} // namespace ipumodel
