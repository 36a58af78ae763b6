// One replica's memories and where it stands in the program.
#pragma once

#include "engine/MappedMemory.hpp"
#include "engine/RemoteStore.hpp"
#include "lower/LoweredProgram.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ipumodel {

// Where a replica's memories come from.
struct ReplicaMemory {
  std::string remoteFolder; // of remote buffers' files; empty: in memory
  // Parts of names of variables that may stay empty in part.
  std::vector<std::string> partlyUsed;
};

struct Replica {
  // Allocates and initialises everything; remote buffers survive a load().
  Replica(const LoweredProgram& program, unsigned index, unsigned firstIndex,
          const ReplicaMemory& memory);

  // Puts variables and vertex state back to what they are after loading.
  void reset(const LoweredProgram& program);

  std::byte* at(const ScalarRef& scalar) const { return variables.data() + scalar.offset; }

  unsigned index = 0;       // in this process
  unsigned globalIndex = 0; // over all processes: the graph's replication index
  MappedMemory variables, image, scratch;
  std::vector<RemoteStore> remoteBuffers; // by RemoteBufferId
  std::uint32_t pc = 0;
  std::vector<std::uint64_t> counters;        // of loops: iterations left
  std::vector<std::uint32_t> returnAddresses; // of functions

private:
  std::vector<std::string> partlyUsed_;
};

// A control value as an integer, and as a predicate. BOOL, INT, UNSIGNED_INT, FLOAT and the short
// types.
std::int64_t integerValue(const ScalarRef& scalar, const Replica& replica);
bool isTrue(const ScalarRef& scalar, const Replica& replica);
void setScalar(const ScalarRef& scalar, const Replica& replica, bool value);

} // namespace ipumodel
