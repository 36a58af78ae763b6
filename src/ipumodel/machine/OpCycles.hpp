// Cycles of the usual vertices: our own estimates for our own codelets, of the form (and, within a
// tenth, the value) of those PopLibs publishes for its assembly codelets.
//
// Units as in poplar::VertexPerfEstimate: functions named ...Tile give tile cycles of a MultiVertex
// or SupervisorVertex, those named ...Worker worker cycles of a Vertex.
#pragma once

#include "machine/MachineParameters.hpp"

#include <cstdint>

namespace ipumodel {

// Elements of `elementBytes` in the 64 bits a worker loads at once.
unsigned vectorWidth(unsigned elementBytes);

enum class OperandPlacement { Anywhere, DistinctElements }; // of tile memory

// out = a (op) b with `innerCycles` per vector of elements (3 for add, subtract, multiply).
std::uint64_t binaryOpTile(std::uint64_t elements, unsigned elementBytes, unsigned innerCycles,
                           const MachineParameters& machine);
// a = a (op) b.
std::uint64_t binaryOpInPlaceTile(std::uint64_t elements, unsigned elementBytes,
                                  OperandPlacement placement, const MachineParameters& machine);
// out = a (op) scalar.
std::uint64_t broadcastScalarTile(std::uint64_t elements, unsigned elementBytes,
                                  const MachineParameters& machine);
// a += k*b.
std::uint64_t scaledAddTile(std::uint64_t elements, unsigned elementBytes,
                            OperandPlacement placement, const MachineParameters& machine);
// Between half and float.
std::uint64_t castTile(std::uint64_t elements, unsigned widerElementBytes,
                       const MachineParameters& machine);
std::uint64_t fillWorker(std::uint64_t elements, unsigned elementBytes);
std::uint64_t selectWorker(std::uint64_t elements);

// n elements to one.
std::uint64_t reduceToScalarWorker(std::uint64_t elements, unsigned elementBytes);
// `partials` rows of `outputs` elements to one row.
std::uint64_t stridedReduceWorker(std::uint64_t partials, std::uint64_t outputs,
                                  unsigned elementBytes);

// `rows` rows of `rowElements` elements, gathered by index.
std::uint64_t multiSliceTile(std::uint64_t rows, std::uint64_t rowElements, unsigned elementBytes,
                             const MachineParameters& machine);
// The same, added into a table.
std::uint64_t multiUpdateAddTile(std::uint64_t rows, std::uint64_t rowElements,
                                 const MachineParameters& machine);
// `slices` slices of `sliceElements` elements at a run-time offset.
std::uint64_t dynamicSliceTile(std::uint64_t slices, std::uint64_t sliceElements,
                               unsigned elementBytes, const MachineParameters& machine);

} // namespace ipumodel
