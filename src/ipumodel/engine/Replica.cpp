#include "engine/Replica.hpp"

#include "graph/TypeInfo.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>

namespace ipumodel {

namespace {

template <class T>
T read(const ScalarRef& scalar, const Replica& replica) {
  T value;
  std::memcpy(&value, replica.at(scalar), sizeof value);
  return value;
}

void relocate(const std::vector<std::uint64_t>& places, std::byte* image, const std::byte* base) {
  for (const std::uint64_t place : places) {
    std::uint64_t value;
    std::memcpy(&value, image + place, sizeof value);
    value += reinterpret_cast<std::uintptr_t>(base);
    std::memcpy(image + place, &value, sizeof value);
  }
}

bool isPartlyUsed(const LoweredVariable& variable, const std::vector<std::string>& partlyUsed) {
  return std::any_of(partlyUsed.begin(), partlyUsed.end(), [&](const std::string& part) {
    return variable.name.find(part) != std::string::npos;
  });
}

// Variables follow one another: those between two that are used in part get their pages together.
void useHugePagesWhereWhole(const LoweredProgram& program,
                            const std::vector<std::string>& partlyUsed,
                            const MappedMemory& variables) {
  std::uint64_t begin = 0;
  for (const LoweredVariable& variable : program.variables)
    if (isPartlyUsed(variable, partlyUsed)) {
      variables.useHugePages(begin, variable.offset);
      begin = variable.offset + variable.bytes;
    }
  variables.useHugePages(begin, variables.size());
}

} // namespace

Replica::Replica(const LoweredProgram& program, unsigned replicaIndex, unsigned firstIndex,
                 const ReplicaMemory& memory)
    : index(replicaIndex),
      globalIndex(firstIndex + replicaIndex),
      counters(program.numCounters),
      returnAddresses(program.functionEntry.size()),
      partlyUsed_(memory.partlyUsed) {
  for (const LoweredRemoteBuffer& buffer : program.remoteBuffers)
    remoteBuffers.emplace_back(buffer.handle, buffer.rowBytes, buffer.rows, memory.remoteFolder);
  reset(program);
}

void Replica::reset(const LoweredProgram& program) {
  // Fresh mappings are zero and cost nothing until touched, unlike clearing the old ones.
  variables = MappedMemory(program.variableBytes + 64, Pages::Small);
  useHugePagesWhereWhole(program, partlyUsed_, variables);
  scratch = MappedMemory(program.scratchBytes + 64);
  image = MappedMemory(program.image.size() + 64);
  for (const LoweredVariable& variable : program.variables) {
    if (variable.isReplicationIndex)
      std::memcpy(variables.data() + variable.offset, &globalIndex, sizeof globalIndex);
    else if (!variable.initial.empty())
      std::memcpy(variables.data() + variable.offset, variable.initial.data(),
                  variable.initial.size());
  }
  if (!program.image.empty())
    std::memcpy(image.data(), program.image.data(), program.image.size());
  relocate(program.pointersToVariables, image.data(), variables.data());
  relocate(program.pointersToImage, image.data(), image.data());
  relocate(program.pointersToScratch, image.data(), scratch.data());
  pc = 0;
}

std::int64_t integerValue(const ScalarRef& scalar, const Replica& replica) {
  // Widened before the two branches meet, or the unsigned one would win.
  const auto wide = [](auto value) { return static_cast<std::int64_t>(value); };
  const bool hasSign = isSigned(scalar.type);
  switch (sizeOf(scalar.type)) {
  case 1:
    return hasSign ? wide(read<std::int8_t>(scalar, replica))
                   : wide(read<std::uint8_t>(scalar, replica));
  case 2:
    return hasSign ? wide(read<std::int16_t>(scalar, replica))
                   : wide(read<std::uint16_t>(scalar, replica));
  case 4:
    return hasSign ? wide(read<std::int32_t>(scalar, replica))
                   : wide(read<std::uint32_t>(scalar, replica));
  default:
    return read<std::int64_t>(scalar, replica);
  }
}

bool isTrue(const ScalarRef& scalar, const Replica& replica) {
  if (scalar.type == poplar::FLOAT)
    return read<float>(scalar, replica) != 0.0f;
  if (scalar.type == poplar::HALF)
    return (read<std::uint16_t>(scalar, replica) & 0x7fff) != 0; // neither zero
  return integerValue(scalar, replica) != 0;
}

void setScalar(const ScalarRef& scalar, const Replica& replica, bool value) {
  if (scalar.type == poplar::FLOAT) {
    const float asFloat = value ? 1.0f : 0.0f;
    std::memcpy(replica.at(scalar), &asFloat, sizeof asFloat);
    return;
  }
  std::memset(replica.at(scalar), 0, sizeOf(scalar.type));
  *replica.at(scalar) = std::byte{value};
}

} // namespace ipumodel
