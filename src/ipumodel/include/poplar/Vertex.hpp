// The base classes of vertices and everything a codelet file usually needs.
//
// A vertex derives from Vertex, MultiVertex or SupervisorVertex and has a member function compute()
// returning bool or void (compute(unsigned workerId) for a MultiVertex). Its data members are edges
// (Input, Output, InOut), vectors of edges, or state: scalars and Vectors set from the host. A
// vertex is never constructed: its fields are laid out in memory and compute() is called.
//
// Cost. A vertex may say what its last compute() cost, from its own fields:
//
//   unsigned estimateCycles() const { return 12 + 7 * numActive; }
//
// in worker cycles, or tile cycles for a MultiVertex or SupervisorVertex (the units of
// poplar::VertexPerfEstimate). The IPU Model calls it after each execution. A compiler that does
// not know it sees a member function that nobody calls, and ignores it.
#ifndef poplar_Vertex_hpp
#define poplar_Vertex_hpp

#include <poplar/FieldTypes.hpp>
#include <poplar/InOutTypes.hpp>
#ifdef __POPC__
#include <poplar/HalfFloat.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace poplar {

class VertexBase {};

// Runs in one worker thread.
class Vertex : public VertexBase {};

// Runs compute(workerId) once in each worker thread of the tile.
class MultiVertex : public VertexBase {
public:
#ifdef IPUMODEL_NUM_WORKERS // popc -D: for a model made with that many worker contexts
  static constexpr unsigned numWorkers() { return IPUMODEL_NUM_WORKERS; }
#else
  static constexpr unsigned numWorkers() { return 6; }
#endif
};

// Runs in the supervisor thread of the tile.
class SupervisorVertex : public VertexBase {};

template <bool IsSupervisor>
using SupervisorVertexIf = typename std::conditional<IsSupervisor, SupervisorVertex, Vertex>::type;

} // namespace poplar

#endif
