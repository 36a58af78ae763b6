#include "machine/OpCycles.hpp"

#include <algorithm>

namespace ipumodel {
namespace {

std::uint64_t ceilDiv(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

// Vectors that the busiest worker handles.
std::uint64_t vectorsPerWorker(std::uint64_t elements, unsigned elementBytes,
                               const MachineParameters& machine) {
  return ceilDiv(elements, machine.workerContexts * vectorWidth(elementBytes));
}

std::uint64_t multi(std::uint64_t supervisor, std::uint64_t worker,
                    const MachineParameters& machine) {
  return supervisor + machine.workerContexts * worker;
}

constexpr unsigned kFloatBytes = 4;

} // namespace

unsigned vectorWidth(unsigned elementBytes) {
  return std::max(1u, 8 / elementBytes);
}

std::uint64_t binaryOpTile(std::uint64_t elements, unsigned elementBytes, unsigned innerCycles,
                           const MachineParameters& machine) {
  const std::uint64_t prologue = elementBytes >= kFloatBytes ? 29 : 26;
  return multi(machine.supervisorLaunchCycles,
               prologue + innerCycles * vectorsPerWorker(elements, elementBytes, machine), machine);
}

std::uint64_t binaryOpInPlaceTile(std::uint64_t elements, unsigned elementBytes,
                                  OperandPlacement placement, const MachineParameters& machine) {
  // With operands in distinct memory elements a load and a store share a cycle.
  const std::uint64_t inner = placement == OperandPlacement::DistinctElements ? 2 : 3;
  return multi(machine.supervisorLaunchCycles,
               58 + inner * vectorsPerWorker(elements, elementBytes, machine), machine);
}

std::uint64_t broadcastScalarTile(std::uint64_t elements, unsigned elementBytes,
                                  const MachineParameters& machine) {
  return multi(machine.supervisorLaunchCycles,
               20 + 2 * vectorsPerWorker(elements, elementBytes, machine), machine);
}

std::uint64_t scaledAddTile(std::uint64_t elements, unsigned elementBytes,
                            OperandPlacement placement, const MachineParameters& machine) {
  const std::uint64_t vectors =
      std::max<std::uint64_t>(1, vectorsPerWorker(elements, elementBytes, machine));
  const std::uint64_t inner = placement == OperandPlacement::DistinctElements ? 2 : 3;
  constexpr std::uint64_t kSupervisor = 57, kPrologue = 15 + 6, kEpilogue = 4;
  return multi(kSupervisor, kPrologue + inner * (vectors - 1) + kEpilogue, machine);
}

std::uint64_t castTile(std::uint64_t elements, unsigned widerElementBytes,
                       const MachineParameters& machine) {
  return multi(12, 18 + 19 + vectorsPerWorker(elements, widerElementBytes, machine), machine);
}

std::uint64_t fillWorker(std::uint64_t elements, unsigned elementBytes) {
  return 23 + ceilDiv(elements, vectorWidth(elementBytes));
}

std::uint64_t selectWorker(std::uint64_t elements) {
  return 6 + 5 * elements;
}

std::uint64_t reduceToScalarWorker(std::uint64_t elements, unsigned elementBytes) {
  return 17 + ceilDiv(elements, vectorWidth(elementBytes));
}

std::uint64_t stridedReduceWorker(std::uint64_t partials, std::uint64_t outputs,
                                  unsigned elementBytes) {
  constexpr std::uint64_t kPrologue = 16, kSetUp = 3, kStore = 5 + 3;
  return kPrologue + ceilDiv(outputs, vectorWidth(elementBytes)) *
                         (kSetUp + kStore + std::max<std::uint64_t>(partials, 1) - 1);
}

std::uint64_t multiSliceTile(std::uint64_t rows, std::uint64_t rowElements, unsigned elementBytes,
                             const MachineParameters& machine) {
  // Each worker walks all indices and copies its part of the table only; the estimate takes the
  // worst case, where one worker owns every row.
  return multi(0, 30 + rows * (19 + 2 * ceilDiv(rowElements * elementBytes, 8)), machine);
}

std::uint64_t multiUpdateAddTile(std::uint64_t rows, std::uint64_t rowElements,
                                 const MachineParameters& machine) {
  return multi(0, 32 + rows * (11 + 3 * (std::max<std::uint64_t>(rowElements, 1) - 1)), machine);
}

std::uint64_t dynamicSliceTile(std::uint64_t slices, std::uint64_t sliceElements,
                               unsigned elementBytes, const MachineParameters& machine) {
  return multi(25, 39 + slices * (24 + 2 * vectorsPerWorker(sliceElements, elementBytes, machine)),
               machine);
}

} // namespace ipumodel
