// Host functions: who serves them, and the buffers their arguments pass through.
#pragma once

#include "engine/Replica.hpp"
#include "lower/LoweredProgram.hpp"

#include <poplar/HostFunctionCallback.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ipumodel {

class HostFunctionTable {
public:
  // REQUIRES: `program` outlives the table.
  explicit HostFunctionTable(const LoweredProgram& program);

  // Throws poplar::stream_connection_error when the handle or the replica does not exist.
  void connect(const std::string& handle, unsigned replica,
               std::shared_ptr<poplar::HostCallback> callback);

  // Throws poplar::stream_connection_error when the function is not connected.
  void call(const HostCallMoves& moves, const Replica& replica);

private:
  struct Buffers {
    std::vector<MappedMemory> memory;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
  };

  const LoweredProgram& program_;
  std::vector<Buffers> buffers_; // by HostFunctionId
  std::vector<std::vector<std::shared_ptr<poplar::HostCallback>>>
      callbacks_; // by function, by replica
};

} // namespace ipumodel
