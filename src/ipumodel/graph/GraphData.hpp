// Everything poplar::Graph has been told, as plain data. poplar::Graph writes it, lowering reads
// it.
#pragma once

#include "graph/Ids.hpp"
#include "graph/TileMap.hpp"
#include "graph/View.hpp"
#include "popc/CodeletLibrary.hpp"

#include <poplar/OptionFlags.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ipumodel {

struct ProgramNode;

enum class VariableKind { Variable, Constant, ReplicationIndex };

struct Variable {
  std::string name;
  poplar::Type type;
  std::size_t numElements = 0;
  VariableKind kind = VariableKind::Variable;
  std::vector<std::byte>
      initial;    // device format; a constant's value, or what load() writes; may be empty
  TileMap tiles;  // element ranges to tiles; unmapped ranges are absent
  VertexId owner; // a constant made for one vertex's field lives on that vertex's tile
};

struct Connection {
  unsigned field; // index into VertexType::fields
  std::optional<unsigned>
      element; // v["f"][element]: one vector of a VectorList, or one of a Vector of edges
  View view;
};

struct FieldValue {
  unsigned field;
  std::optional<unsigned> element;
  std::vector<std::byte> bytes; // device format
};

struct Vertex {
  const VertexType* type = nullptr;
  ComputeSetId computeSet;
  TileId tile;
  std::vector<Connection> connections;
  std::vector<FieldValue> values;
  std::map<unsigned, std::size_t> fieldSizes; // setFieldSize
  std::optional<std::uint64_t> cycles;        // setPerfEstimate
  std::optional<std::uint64_t> flops;
};

struct ComputeSet {
  std::string name;
  std::vector<VertexId> vertices;
};

enum class StreamDirection { HostToDevice, DeviceToHost };
enum class StreamReplication { PerReplica, Broadcast };

struct Stream {
  std::string handle;
  StreamDirection direction;
  poplar::Type type;
  std::size_t numElements = 0;
  StreamReplication replication = StreamReplication::PerReplica;
};

struct RemoteBuffer {
  std::string handle;
  poplar::Type type;
  std::size_t numElements = 0; // of one row
  std::size_t repeats = 1;     // rows
};

struct HostAccess { // createHostRead, createHostWrite
  View view;
  bool canRead = false;
  bool canWrite = false;
};

struct HostFunctionData {
  std::string handle;
  struct Argument {
    poplar::Type type;
    std::size_t numElements;
  };
  std::vector<Argument> inputs, outputs;
};

struct GraphData : std::enable_shared_from_this<GraphData> {
  explicit GraphData(const poplar::Target& target, unsigned replicationFactor);
  ~GraphData();
  GraphData(const GraphData&) = delete;
  GraphData& operator=(const GraphData&) = delete;

  poplar::Target target; // of one replica: tiles are numbered 0 .. tilesPerReplica-1
  unsigned replicationFactor = 1;

  /// On a CPU target of one tile everything lies on that tile, mapped or not.
  bool mapsByItself() const {
    return target.getTargetType() == poplar::TargetType::CPU && target.getNumTiles() == 1;
  }

  CodeletLibrary codelets;
  std::map<std::string, poplar::PerfEstimateFunc, std::less<>>
      perfEstimators; // by vertex type name

  // Indexed by the ids.
  std::vector<Variable> variables;
  std::vector<Vertex> vertices;
  std::vector<ComputeSet> computeSets;
  std::vector<std::shared_ptr<const ProgramNode>> functions;
  std::vector<Stream> streams;
  std::vector<RemoteBuffer> remoteBuffers;
  std::vector<HostFunctionData> hostFunctions;
  std::map<std::string, HostAccess, std::less<>> hostAccess; // by handle

  // By variable of type QUARTER: the variable that holds its metadata, once somebody asked for it.
  std::map<VarId, VarId> quarterMetadata;

  // Registers of the tiles that programs set and read back, once one of them does.
  std::optional<View> floatingPointControl, hardwareSeeds;
};

} // namespace ipumodel
