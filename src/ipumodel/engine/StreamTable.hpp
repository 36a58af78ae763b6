// The host ends of streams: what they are connected to, and one transfer at a time.
#pragma once

#include "engine/MappedMemory.hpp"
#include "engine/Replica.hpp"
#include "lower/LoweredProgram.hpp"

#include <poplar/StreamCallback.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ipumodel {

class ThreadTeam;

enum class Prefetch { Off, On };

// Replicas may run ahead of one another: each has its own place in a circular buffer, and a
// broadcast stream keeps what it delivered until every replica has taken it.
class StreamTable {
public:
  // REQUIRES: `program` outlives the table.
  StreamTable(const LoweredProgram& program, Prefetch prefetch);

  // Connect functions throw poplar::stream_connection_error when the handle is unknown or the range
  // too small.
  void connectRange(const std::string& handle, void* begin, std::size_t bytes);
  void connectPointer(const std::string& handle, void* begin);
  void connectCallback(const std::string& handle, std::shared_ptr<poplar::StreamCallback> callback);
  void connectCallback(const std::string& handle, unsigned replica,
                       std::shared_ptr<poplar::StreamCallback> callback);

  // Throw poplar::stream_connection_error when the stream is not connected.
  void toDevice(std::uint32_t stream, const MoveList& moves, const Replica& replica,
                ThreadTeam& team);
  void fromDevice(std::uint32_t stream, const MoveList& moves, const Replica& replica,
                  ThreadTeam& team);

  // What was prefetched is given back; before memory is loaded anew, and at the end.
  void invalidatePrefetched();

private:
  struct End { // of one replica
    std::uint64_t position = 0;
    std::uint64_t transfers = 0;
    std::shared_ptr<poplar::StreamCallback> callback;
    MappedMemory staging;
    bool isPrefetched = false;
  };
  struct Connection {
    std::byte* begin = nullptr; // null: by callback, or not at all
    std::uint64_t bytes = 0;
    std::vector<End> ends;            // by replica
    std::uint64_t broadcastCount = 0; // transfers a broadcast stream has delivered
  };

  std::uint32_t find(const std::string& handle) const;
  std::byte* nextPart(std::uint32_t stream, const Replica& replica);
  End& connectedEnd(std::uint32_t stream, unsigned replica);

  const LoweredProgram& program_;
  Prefetch prefetch_;
  std::vector<Connection> connections_; // by StreamId
};

} // namespace ipumodel
