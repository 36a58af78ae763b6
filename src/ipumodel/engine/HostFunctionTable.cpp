#include "engine/HostFunctionTable.hpp"

#include "engine/CopyKernel.hpp"

#include <poplar/exceptions.hpp>

namespace ipumodel {

HostFunctionTable::HostFunctionTable(const LoweredProgram& program) : program_(program) {
  for (const LoweredHostFunction& function : program.hostFunctions) {
    Buffers buffers;
    for (const std::uint64_t bytes : function.inputBytes) {
      buffers.memory.emplace_back(bytes);
      buffers.inputs.push_back(buffers.memory.back().data());
    }
    for (const std::uint64_t bytes : function.outputBytes) {
      buffers.memory.emplace_back(bytes);
      buffers.outputs.push_back(buffers.memory.back().data());
    }
    buffers_.push_back(std::move(buffers));
    callbacks_.emplace_back(program.replicationFactor);
  }
}

void HostFunctionTable::connect(const std::string& handle, unsigned replica,
                                std::shared_ptr<poplar::HostCallback> callback) {
  if (replica >= program_.replicationFactor)
    throw poplar::stream_connection_error("host function '" + handle + "' has no replica " +
                                          std::to_string(replica) + "; there are " +
                                          std::to_string(program_.replicationFactor));
  for (std::size_t f = 0; f < program_.hostFunctions.size(); ++f)
    if (program_.hostFunctions[f].handle == handle) {
      callbacks_[f][replica] = std::move(callback);
      return;
    }
  throw poplar::stream_connection_error("there is no host function '" + handle + "' in the graph");
}

void HostFunctionTable::call(const HostCallMoves& moves, const Replica& replica) {
  const auto& callback = callbacks_[moves.function][replica.index];
  if (!callback)
    throw poplar::stream_connection_error(
        "host function '" + program_.hostFunctions[moves.function].handle + "' is not connected");
  const Buffers& buffers = buffers_[moves.function];
  const std::size_t numInputs = moves.inputs.size();
  for (std::size_t i = 0; i < numInputs; ++i)
    runMoves(moves.inputs[i], replica.variables.data(), buffers.memory[i].data());
  (*callback)(buffers.inputs, buffers.outputs);
  for (std::size_t i = 0; i < moves.outputs.size(); ++i)
    runMoves(moves.outputs[i], buffers.memory[numInputs + i].data(), replica.variables.data());
}

} // namespace ipumodel
