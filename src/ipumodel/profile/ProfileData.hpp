// A profile as plain data: what the machine is, what the graph takes of it, what was executed.
//
// All figures are modelled unless their name says host. Everything that shows a profile (the pva
// classes, text, JSON, SQLite, traces) reads this and nothing else.
#pragma once

#include "machine/MachineParameters.hpp"
#include "profile/Categories.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ipumodel {

// (tile, value), tiles ascending; those with 0 may be absent.
using ByTile = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

struct TargetInfo {
  std::string type;          // "IPU_MODEL", "IPU" or "CPU"
  std::string architecture;  // "ipu2"
  std::uint32_t numIpus = 0; // of one replica
  std::uint32_t tilesPerIpu = 0;
  std::uint32_t numReplicas = 1;
  std::uint64_t bytesPerTile = 0;
  double clockHz = 0;

  std::uint32_t numTiles() const { return numIpus * tilesPerIpu; }
};

struct GraphInfo {
  std::uint64_t numVertices = 0, numEdges = 0, numVars = 0, numComputeSets = 0;
};

struct VertexTypeInfo {
  std::string name;
  std::string kind;            // "Vertex", "MultiVertex", "SupervisorVertex"
  std::uint64_t codeBytes = 0; // on each tile that has one
  std::uint64_t instances = 0; // in compute sets that some program executes
};

struct VariableInfo {
  std::string name;
  std::uint64_t bytes = 0; // over all tiles, of what is used
  bool isConstant = false;
  bool alwaysLive = false;
};

struct VertexCount {
  std::uint32_t type = 0; // index into vertexTypes
  std::uint64_t count = 0;
};

struct TileMemory {
  CategoryBytes alwaysLive;
  CategoryBytes atPeak;       // not always live, at the step where this tile holds most
  std::uint64_t gapBytes = 0; // lost to alignment, within the always live
  std::uint32_t peakStep = 0; // index into livenessSteps
  std::vector<VertexCount> vertices;

  std::uint64_t totalBytes() const { return alwaysLive.total() + atPeak.total(); }
};

struct ComputeSetInfo {
  std::string name;
  std::vector<VertexCount> vertices;
  ByTile estimatedCycles; // one execution, tile cycles, from what is known beforehand
  std::uint64_t flops = 0;
  std::uint64_t unknownVertices = 0; // without any estimate: not in the cycles
  std::uint64_t askedVertices = 0;   // whose cost depends on data
  // Summed over executions; empty when nothing was executed or no vertex is asked.
  std::uint64_t measuredExecutions = 0;
  ByTile measuredCycles;
  ByTile measuredBusyCycles; // over all worker contexts
};

enum class ProgramType : std::uint8_t {
  Sequence,
  Block,
  Repeat,
  RepeatWhile,
  If,
  Switch,
  Call,
  OnTileExecute,
  DoExchange,
  GlobalExchange,
  StreamCopy,
  RemoteCopy,
  Sync,
  WriteUndef,
  Other
};

struct ProgramInfo {
  ProgramType type = ProgramType::Other;
  std::string name;
  std::vector<std::uint32_t> children;
  std::int32_t computeSet = -1; // of an OnTileExecute with vertices
  std::uint64_t repeatCount = 0;
  std::uint64_t bytes = 0;  // moved by one execution
  std::uint64_t cycles = 0; // of one execution, without children, from what is known beforehand
  std::vector<std::uint32_t> variables; // touched
  ByTile bytesSent, bytesReceived;      // of exchanges and copies off the chip
  ByTile codeBytes;
  std::uint64_t controlBytesPerTile = 0;
};

struct LivenessStep {
  std::uint32_t program = 0;
  std::uint64_t bytes = 0; // not always live, over all tiles
  std::uint64_t busiestTileBytes = 0;
  std::vector<std::uint32_t> variables;
};

// Cycles by what the machine did.
struct CycleSplit {
  std::uint64_t compute = 0;  // vertices and copies inside tiles
  std::uint64_t exchange = 0; // on the chip
  std::uint64_t sync = 0;
  std::uint64_t globalExchange = 0; // between IPUs
  std::uint64_t stream = 0;         // host
  std::uint64_t remote = 0;         // Streaming Memory

  std::uint64_t total() const {
    return compute + exchange + sync + globalExchange + stream + remote;
  }
};

struct ProgramTotal {
  std::uint64_t executions = 0;
  std::uint64_t cycles = 0;
};

struct ExecutedStep {
  std::uint32_t program = 0;
  std::uint64_t from = 0; // cycles since the first run began
  std::uint64_t cycles = 0;
};

struct RunInfo {
  std::string name;
  std::uint32_t program = 0;                // as given to Engine::run
  std::uint64_t firstStep = 0, endStep = 0; // into steps
  std::uint64_t numSteps = 0;               // program steps executed, kept or not
  double hostSeconds = 0;                   // of the model on the host, measured
};

struct ExecutionInfo {
  bool recorded = false;
  CycleSplit cycles;
  std::vector<ProgramTotal> programs; // parallel to ProfileData::programs
  std::vector<ExecutedStep> steps;    // as many as were kept
  std::vector<ExecutedStep> beside;   // copies that ran beside them, likewise
  // Blocks and programs that the engine was asked to watch, as they began, outer ones first; those
  // that are no copies are watched on one tile of each IPU.
  std::vector<ExecutedStep> blocks;
  std::uint32_t blockTile = 0;
  std::uint64_t stepsDropped = 0; // executed, in the sums, not kept one by one
  std::vector<RunInfo> runs;
  std::uint64_t unknownVertexExecutions = 0; // executions of vertices without estimate
  // Of the copies beside the steps: cycles nobody waited for, which are in no other sum, and how
  // often a step did wait.
  std::uint64_t hiddenCycles = 0, stalls = 0;
};

struct ProfileData {
  std::string producer;
  TargetInfo target;
  std::vector<ParameterNote> machine; // the parameters in force and their sources
  std::uint32_t workerContexts = 6;
  GraphInfo graph;
  std::vector<VertexTypeInfo> vertexTypes;
  std::vector<VariableInfo> variables;
  std::vector<TileMemory> tiles;
  std::vector<ComputeSetInfo> computeSets;
  std::vector<ProgramInfo> programs;
  std::vector<std::uint32_t> entryPrograms;
  std::vector<std::uint32_t> functionPrograms;
  std::vector<LivenessStep> livenessSteps;
  ExecutionInfo execution;
};

} // namespace ipumodel
