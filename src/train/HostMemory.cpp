#include "train/HostMemory.hpp"

#include "network/Parameters.hpp"
#include "train/ProcessMemory.hpp"

#include <unistd.h>

namespace spillway {
namespace {

// Graph, program, transfers in work and one sample's events, measured on networks of 200 to 4,000
// neurons.
constexpr std::uint64_t kToCome = 16u << 20;
// What a program takes differs a little from start to start.
constexpr std::uint64_t kUnsteady = 256u << 10, kBudgetStep = 1u << 20;
constexpr std::uint64_t kBatchShare = 16; // of the budget, for the events of a batch
// Parameters of the host: as they were drawn, and with the optimiser's when a snapshot is written.
constexpr std::uint64_t kParameterCopies = 4;

std::uint64_t parameterBytes(const NetworkSpec& network) {
  std::uint64_t numFloats = 0;
  for (const ParameterTensor& tensor : parameterShapes(network)) {
    std::uint64_t size = 1;
    for (const std::size_t extent : tensor.shape) {
      size *= extent;
    }
    numFloats += size;
  }
  return numFloats * sizeof(float);
}

} // namespace

std::uint64_t hostMemoryBytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t takenByTheProgram(const Settings& settings) {
  return residentMemoryBytes() + kToCome + kParameterCopies * parameterBytes(settings.network);
}

std::uint64_t deviceBudget(const Settings& settings, std::uint64_t takenBytes) {
  const std::uint64_t budget = settings.checkpoint.memoryBudgetBytes;
  const std::uint64_t taken = takenBytes + batchMemoryOf(settings);
  return budget > taken ? budget - taken : 0; // nothing fits 0: better refused than exceeded
}

std::uint64_t budgetLeaving(Settings settings, std::uint64_t deviceBytes,
                            std::uint64_t takenBytes) {
  std::uint64_t& budget = settings.checkpoint.memoryBudgetBytes;
  const auto needed = [&] {
    return deviceBytes + takenBytes + kUnsteady + batchMemoryOf(settings);
  };
  // What a batch gets may be a share of the budget itself.
  for (budget = 0; budget < needed();) {
    budget = (needed() + kBudgetStep - 1) / kBudgetStep * kBudgetStep;
  }
  return budget;
}

std::uint64_t batchMemoryOf(const Settings& settings) {
  if (settings.data.batchMemoryBytes != 0 || settings.machine.device != DeviceKind::Cpu ||
      settings.network.isGated()) {
    return settings.data.batchMemoryBytes;
  }
  return settings.checkpoint.memoryBudgetBytes / kBatchShare;
}

} // namespace spillway
