// What popc learns about a vertex class: the contract between a compiled codelet file and the rest
// of the model. Plain data; no libclang here.
#pragma once

#include <poplar/Type.hpp>

#include <ipumodel/CodeletAbi.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ipumodel {

enum class VertexKind { Worker, Multi, Supervisor };

// State is a member that is neither edge nor vector of edges: `const int n;`, `Vector<unsigned>
// tab;`.
enum class FieldDirection { Input, Output, InOut, State };

// How many levels of indexing reach an element.
enum class FieldRank { Scalar, Vector, VectorList };

// The layouts of Vector and VectorList as written in the codelet; they decide the bytes a field
// would take on a tile (account) and whether size() exists, not the layout in host memory.
enum class PointerLayout {
  None,
  OnePtr,
  Span,
  ShortSpan,
  CompactPtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  DeltaNElements,
  DeltaN,
  CompactDeltaN
};

// One data member. Host memory layout, the same for every PointerLayout:
//   State scalar                the value itself, sizeof(element) bytes at `offset`
//   Input/Output/InOut scalar   one pointer to the element
//   Vector (edge or state)      HostSpan: data pointer, number of elements
//   VectorList                  HostSpan whose data points at an array of HostSpan
struct FieldInfo {
  std::string name;
  FieldDirection direction = FieldDirection::State;
  FieldRank rank = FieldRank::Scalar;
  poplar::Type elementType;
  PointerLayout outerLayout = PointerLayout::None; // of the VectorList, where there are two levels
  PointerLayout innerLayout = PointerLayout::None; // of the Vector
  unsigned minAlign = 1;                           // bytes, as asked for in the codelet
  bool interleaved = false;
  std::size_t offset = 0; // bytes from the start of the vertex object
};

struct HostSpan {
  void* data;
  std::size_t size;
};

// Runs `count` vertices of one type that lie `stride` bytes apart, each with all its workers, and
// returns whether every compute() returned true (a void compute() counts as true).
using RunVertices = bool (*)(void* first, std::size_t stride, std::size_t count,
                             unsigned numWorkers);

// Asks the same vertices, after they ran, what they cost: worker cycles for a Worker vertex, tile
// cycles for a Multi or Supervisor vertex (the units of poplar::VertexPerfEstimate).
using CostVertices = void (*)(const void* first, std::size_t stride, std::size_t count,
                              std::uint64_t* cycles);

// Right behind a field of quarters comes the field for their metadata, whose name ends so.
inline constexpr const char* kMetadataSuffix = ".metadata";

struct VertexType {
  std::string name; // canonical: "ns::Foo<float,true,3>", no blanks, enums fully qualified
  VertexKind kind = VertexKind::Worker;
  std::size_t size = 0;  // bytes of the object in host memory
  std::size_t align = 1; // bytes
  std::vector<FieldInfo> fields;
  RunVertices run = nullptr;
  CostVertices cost = nullptr; // null unless the class has `estimateCycles() const`

  // Null unless the codelets ask for their tile or for random numbers; then the engine fills what
  // it returns, which belongs to the calling thread, before each run.
  abi::RunContext* (*context)() = nullptr;
};

} // namespace ipumodel
