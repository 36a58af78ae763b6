// The copies of a program to and from its remote buffers, waited for or beside it.
#pragma once

#include "engine/Replica.hpp"
#include "engine/ThreadTeam.hpp"
#include "engine/TransferChannel.hpp"
#include "lower/LoweredProgram.hpp"

#include <ipumodel/TransferStalls.hpp>

#include <memory>
#include <vector>

namespace ipumodel {

enum class RemoteOverlap { Off, On };

// With overlap a write leaves from a staging buffer and a read arrives in one; what was read is put
// into its variable when an instruction may look at it. Results are the same.
class RemoteTransfers {
public:
  // Overlap takes one replica; with more there is none. REQUIRES: the arguments outlive this.
  RemoteTransfers(const LoweredProgram& program, ThreadTeam& team, RemoteOverlap overlap);

  // A run begins. One that threw may have left something under way.
  void begin();

  void read(std::uint32_t copy, Replica& replica);
  void write(std::uint32_t copy, Replica& replica);

  // Instruction `pc` is about to run.
  void before(std::uint32_t pc, Replica& replica) {
    if (pending_ != 0 && (pending_ & waits_[pc]) != 0)
      finishRead(replica);
  }
  // Everything has arrived, here and there.
  void finish(Replica& replica);

  TransferStalls stalls() const { return channel_ ? channel_->stalls() : stalls_; }

private:
  void findRows(const RemoteCopy& copy, const Replica& replica);
  void finishRead(Replica& replica);

  const LoweredProgram& program_;
  ThreadTeam& team_;
  std::vector<std::uint64_t> rows_; // of the copy in work
  StagingBuffer staging_;           // of a row in a file that is waited for
  TransferStalls stalls_;           // without a channel

  std::unique_ptr<TransferChannel> channel_;
  std::vector<std::uint64_t> waits_; // by instruction
  std::uint64_t pending_ = 0;        // the bit of the copy that is being read
  std::uint32_t pendingCopy_ = 0;
};

} // namespace ipumodel
