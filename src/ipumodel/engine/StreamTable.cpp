#include "engine/StreamTable.hpp"

#include "engine/CopyKernel.hpp"

#include <poplar/exceptions.hpp>

namespace ipumodel {

StreamTable::StreamTable(const LoweredProgram& program, Prefetch prefetch)
    : program_(program), prefetch_(prefetch), connections_(program.streams.size()) {
  for (Connection& connection : connections_)
    connection.ends = std::vector<End>(program.replicationFactor);
}

std::uint32_t StreamTable::find(const std::string& handle) const {
  for (std::size_t s = 0; s < program_.streams.size(); ++s)
    if (program_.streams[s].handle == handle)
      return static_cast<std::uint32_t>(s);
  throw poplar::stream_connection_error("there is no stream '" + handle + "' in the graph");
}

void StreamTable::connectRange(const std::string& handle, void* begin, std::size_t bytes) {
  const std::uint32_t stream = find(handle);
  const LoweredStream& lowered = program_.streams[stream];
  const std::uint64_t needed = lowered.bytes * (lowered.broadcast ? 1 : program_.replicationFactor);
  if (bytes < needed)
    throw poplar::stream_connection_error(
        "stream '" + handle + "' transfers " + std::to_string(needed) +
        " bytes at a time; the buffer has " + std::to_string(bytes));
  Connection& connection = connections_[stream];
  connection = {};
  connection.ends = std::vector<End>(program_.replicationFactor);
  connection.begin = static_cast<std::byte*>(begin);
  connection.bytes = bytes;
}

void StreamTable::connectPointer(const std::string& handle, void* begin) {
  const LoweredStream& lowered = program_.streams[find(handle)];
  connectRange(handle, begin, lowered.bytes * (lowered.broadcast ? 1 : program_.replicationFactor));
}

void StreamTable::connectCallback(const std::string& handle,
                                  std::shared_ptr<poplar::StreamCallback> callback) {
  const std::uint32_t stream = find(handle);
  for (unsigned replica = 0; replica < program_.replicationFactor; ++replica) {
    connectCallback(handle, replica, callback);
    if (program_.streams[stream].broadcast)
      return;
  }
}

void StreamTable::connectCallback(const std::string& handle, unsigned replica,
                                  std::shared_ptr<poplar::StreamCallback> callback) {
  if (replica >= program_.replicationFactor)
    throw poplar::stream_connection_error("stream '" + handle + "' has no replica " +
                                          std::to_string(replica) + "; there are " +
                                          std::to_string(program_.replicationFactor));
  const std::uint32_t stream = find(handle);
  Connection& connection = connections_[stream];
  connection.begin = nullptr;
  End& end = connection.ends[replica];
  end = {};
  end.callback = std::move(callback);
  end.staging = MappedMemory(program_.streams[stream].bytes);
}

StreamTable::End& StreamTable::connectedEnd(std::uint32_t stream, unsigned replica) {
  End& end = connections_[stream].ends[replica];
  if (!end.callback)
    throw poplar::stream_connection_error(
        "stream '" + program_.streams[stream].handle + "' is not connected" +
        (replica ? " for replica " + std::to_string(replica) : ""));
  return end;
}

// The replica's part of the next transfer in a circular buffer; moves its place on.
std::byte* StreamTable::nextPart(std::uint32_t stream, const Replica& replica) {
  const LoweredStream& lowered = program_.streams[stream];
  Connection& connection = connections_[stream];
  End& end = connection.ends[replica.index];
  const std::uint64_t step = lowered.bytes * (lowered.broadcast ? 1 : program_.replicationFactor);
  if (end.position + step > connection.bytes)
    end.position = 0;
  std::byte* part =
      connection.begin + end.position + (lowered.broadcast ? 0 : replica.index * lowered.bytes);
  end.position += step;
  return part;
}

void StreamTable::toDevice(std::uint32_t stream, const MoveList& moves, const Replica& replica,
                           ThreadTeam& team) {
  const LoweredStream& lowered = program_.streams[stream];
  Connection& connection = connections_[stream];
  if (connection.begin) {
    runMoves(moves, nextPart(stream, replica), replica.variables.data(), team);
    return;
  }
  End& source = connectedEnd(stream, lowered.broadcast ? 0 : replica.index);
  // The first replica to need a broadcast transfer has it fetched; the others find it in the
  // buffer.
  const bool isNew =
      !lowered.broadcast || connection.ends[replica.index].transfers == connection.broadcastCount;
  if (isNew) {
    if (!source.isPrefetched)
      source.callback->fetch(source.staging.data());
    source.isPrefetched = false;
    ++connection.broadcastCount;
  }
  ++connection.ends[replica.index].transfers;
  runMoves(moves, source.staging.data(), replica.variables.data(), team);
  if (!isNew)
    return;
  source.callback->complete();
  if (prefetch_ == Prefetch::On && program_.replicationFactor == 1)
    source.isPrefetched =
        source.callback->prefetch(source.staging.data()) == poplar::StreamCallback::Result::Success;
}

void StreamTable::fromDevice(std::uint32_t stream, const MoveList& moves, const Replica& replica,
                             ThreadTeam& team) {
  if (connections_[stream].begin) {
    runMoves(moves, replica.variables.data(), nextPart(stream, replica), team);
    return;
  }
  End& end = connectedEnd(stream, replica.index);
  runMoves(moves, replica.variables.data(), end.staging.data(), team);
  end.callback->fetch(end.staging.data());
  end.callback->complete();
}

void StreamTable::invalidatePrefetched() {
  for (Connection& connection : connections_)
    for (End& end : connection.ends)
      if (end.isPrefetched) {
        end.callback->invalidatePrefetched();
        end.isPrefetched = false;
      }
}

} // namespace ipumodel
