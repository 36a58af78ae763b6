// A graph and its programs, made ready to run: plain data that says where every byte lies and what
// is done in which order. The engine runs it, the account measures it, an executable stores it.
//
// Four memories per replica: variables, the image (vertex objects and the tables they point at),
// scratch (gather buffers, shared by all compute sets) and one memory per remote buffer. Offsets
// are in bytes.
#pragma once

#include "graph/Ids.hpp"
#include "lower/Moves.hpp"
#include "popc/VertexType.hpp"

#include <poplar/PrintTensor.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ipumodel {

struct ProgramNode;

struct LoweredVariable {
  std::string name;
  std::uint64_t offset = 0; // in variables, 64-byte aligned
  std::uint64_t bytes = 0;
  std::vector<std::byte> initial; // written by load(); empty: zeros
  bool isReplicationIndex = false;
};

// The vertices of one compute set that share a type: one array in the image, in tile order.
struct VertexGroup {
  std::string typeName;
  const VertexType* type = nullptr;
  std::uint64_t offset = 0; // in the image
  std::uint64_t stride = 0;
  std::vector<VertexId> vertices;
  std::vector<std::uint32_t> tiles; // of each vertex, ascending
  std::vector<std::uint32_t>
      weight; // of each vertex: bytes it may touch, to share work between threads

  std::size_t count() const { return tiles.size(); }
};

constexpr std::uint32_t kNoMoves = ~std::uint32_t{0};

struct LoweredComputeSet {
  std::string name;
  std::vector<VertexGroup> groups;
  std::uint32_t gather = kNoMoves;  // variables to scratch, before; index into moveLists
  std::uint32_t scatter = kNoMoves; // scratch to variables, after
  std::uint64_t weight = 0;         // sum over vertices
};

enum class Op : std::uint8_t {
  Execute,          // a: compute set, b: scalar for the exit value or none
  Copy,             // a: moves within variables
  CopyOverlapping,  // a: moves variables to scratch, b: moves scratch to variables
  StreamIn,         // a: stream, b: moves host to variables
  StreamOut,        // a: stream, b: moves variables to host
  RemoteIn,         // a: remote copy
  RemoteOut,        // a: remote copy
  CrossReplicaCopy, // a: cross-replica copy
  LoopBegin,        // a: counter, b: count, c: first instruction after the loop
  LoopEnd,          // a: counter, c: first instruction of the body
  Jump,             // c: target
  JumpIfTrue,       // a: scalar, c: target
  JumpIfFalse,      // a: scalar, c: target
  Switch,           // a: switch table
  Call,             // a: function
  Return,           // a: function
  HostCall,         // a: host call
  Sync,             // a: 1 when external
  WriteUndef,       // nothing to do; for the account
  BlockBegin,       // a named region begins
  BlockEnd,
  Print,        // a: print
  Abort,        // a: text
  AbortIf,      // a: scalar, b: text
  NoSwitchCase, // a: scalar; a bounds-checked switch has no case for it
  CycleBegin,   // a: cycle counter
  CycleEnd,     // a: cycle counter, b: moves of the 8-byte count to variables
  CycleStamp,   // a: cycle counter of its own; b: moves of the 8-byte time to variables
  AssumeEqual,  // nothing to do; for the account
  End
};

struct Instruction {
  Op op = Op::End;
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint32_t name = 0; // index into names: the debug path
};

constexpr std::uint32_t kNoScalar = ~std::uint32_t{0};

// One element of a variable that the control flow reads or writes.
struct ScalarRef {
  std::uint64_t offset = 0; // in variables
  poplar::Type type;
};

struct SwitchTable {
  std::uint32_t scalar = 0;
  std::vector<std::pair<std::int32_t, std::uint32_t>> cases; // value, target; sorted by value
  std::uint32_t otherwise = 0;
};

struct RemoteCopy {
  std::uint32_t buffer = 0;
  std::uint32_t rowsVariableOffset = kNoScalar; // index into rowOffsets, or none: row 0
  std::vector<MoveList> rows;                   // of each row: buffer row to variables, or back
};

struct RowOffsets {
  std::vector<ScalarRef> elements;
};

struct CrossReplicaMoves {
  MoveList gather;  // variables to a packed buffer, on the source replica
  MoveList scatter; // back, on the destination replica
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sourceOf; // (destination, source)
};

struct HostCallMoves {
  std::uint32_t function = 0;
  std::vector<MoveList> inputs;  // variables to a packed buffer
  std::vector<MoveList> outputs; // packed buffer to variables
};

struct PrintRequest {
  std::string title;
  poplar::Type type;
  std::vector<std::size_t> shape;
  MoveList gather; // variables to a packed buffer
  poplar::PrintTensorFmt format;
};

struct LoweredStream {
  std::string handle;
  poplar::Type type;
  std::uint64_t bytes = 0; // of one transfer of one replica
  bool toDevice = true;
  bool broadcast = false;
};

struct LoweredRemoteBuffer {
  std::string handle;
  poplar::Type type;
  std::uint64_t rowBytes = 0;
  std::uint64_t rows = 1;
};

struct LoweredHostAccess {
  std::string handle;
  poplar::Type type;
  std::uint64_t bytes = 0; // of one replica
  MoveList read;           // variables to host
  bool canRead = false, canWrite = false;
};

struct LoweredHostFunction {
  std::string handle;
  std::vector<std::uint64_t> inputBytes, outputBytes;
};

struct LoweredProgram {
  unsigned replicationFactor = 1;
  unsigned numWorkerContexts = 1;

  std::vector<LoweredVariable> variables;
  std::uint64_t variableBytes = 0;
  std::uint64_t scratchBytes = 0;

  // The image, and where in it pointers stand whose values are still offsets.
  std::vector<std::byte> image;
  std::vector<std::uint64_t> pointersToVariables, pointersToImage, pointersToScratch;

  std::vector<LoweredComputeSet> computeSets; // by ComputeSetId
  std::vector<MoveList> moveLists;

  std::vector<Instruction> code;
  std::vector<const ProgramNode*> nodes; // of each instruction
  std::vector<std::uint32_t> programEntry;
  std::vector<std::uint32_t> functionEntry;
  std::uint32_t numCounters = 0;      // of loops
  std::uint32_t numCycleCounters = 0; // of measured regions and times
  std::vector<ScalarRef> scalars;
  std::vector<SwitchTable> switches;
  std::vector<RemoteCopy> remoteCopies;
  std::vector<RowOffsets> rowOffsets;
  std::vector<CrossReplicaMoves> crossReplicaCopies;
  std::vector<HostCallMoves> hostCalls;
  std::vector<PrintRequest> prints;
  std::vector<std::string> texts;
  std::vector<std::string> names;

  std::vector<LoweredStream> streams;             // by StreamId
  std::vector<LoweredRemoteBuffer> remoteBuffers; // by RemoteBufferId
  std::vector<LoweredHostFunction> hostFunctions; // by HostFunctionId
  std::vector<LoweredHostAccess> hostAccess;      // sorted by handle
};

} // namespace ipumodel
