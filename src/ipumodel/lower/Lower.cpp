#include "lower/Lower.hpp"

#include "graph/TypeInfo.hpp"
#include "lower/LowerPrograms.hpp"
#include "lower/LowerVertices.hpp"

namespace ipumodel {

namespace {

constexpr std::uint64_t kVariableAlign = 64;

VariableOffsets layOutVariables(const GraphData& graph, LoweredProgram& program) {
  VariableOffsets offsets;
  offsets.reserve(graph.variables.size());
  program.variables.reserve(graph.variables.size());
  std::uint64_t end = 0;
  for (const Variable& variable : graph.variables) {
    LoweredVariable lowered;
    lowered.name = variable.name;
    lowered.offset = end;
    lowered.bytes = variable.numElements * sizeOf(variable.type);
    lowered.initial = variable.initial;
    lowered.isReplicationIndex = variable.kind == VariableKind::ReplicationIndex;
    end = (end + lowered.bytes + kVariableAlign - 1) / kVariableAlign * kVariableAlign;
    offsets.push_back(lowered.offset);
    program.variables.push_back(std::move(lowered));
  }
  program.variableBytes = end;
  return offsets;
}

void describeHostSide(const GraphData& graph, const VariableOffsets& offsets,
                      LoweredProgram& program) {
  for (const Stream& stream : graph.streams)
    program.streams.push_back({stream.handle, stream.type, stream.numElements * sizeOf(stream.type),
                               stream.direction == StreamDirection::HostToDevice,
                               stream.replication == StreamReplication::Broadcast});
  for (const RemoteBuffer& buffer : graph.remoteBuffers)
    program.remoteBuffers.push_back(
        {buffer.handle, buffer.type, buffer.numElements * sizeOf(buffer.type), buffer.repeats});
  for (const HostFunctionData& function : graph.hostFunctions) {
    LoweredHostFunction lowered{function.handle, {}, {}};
    for (const auto& argument : function.inputs)
      lowered.inputBytes.push_back(argument.numElements * sizeOf(argument.type));
    for (const auto& argument : function.outputs)
      lowered.outputBytes.push_back(argument.numElements * sizeOf(argument.type));
    program.hostFunctions.push_back(std::move(lowered));
  }
  for (const auto& [handle, access] : graph.hostAccess) {
    const std::uint64_t elementBytes = sizeOf(access.view.type);
    const std::uint64_t numElements = access.view.numElements();
    program.hostAccess.push_back(
        {handle, access.view.type, numElements * elementBytes,
         makeMoves(segmentsOf(access.view, offsets), packedSegments(0, numElements, elementBytes),
                   elementBytes),
         access.canRead, access.canWrite});
  }
}

} // namespace

LoweredProgram lower(const GraphData& graph, const std::vector<ProgramPtr>& programs) {
  LoweredProgram program;
  program.replicationFactor = graph.replicationFactor;
  program.numWorkerContexts = graph.target.getNumWorkerContexts();
  const VariableOffsets offsets = layOutVariables(graph, program);
  lowerVertices(graph, offsets, program);
  describeHostSide(graph, offsets, program);
  lowerPrograms(graph, programs, offsets, program);
  return program;
}

} // namespace ipumodel
