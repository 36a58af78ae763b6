#include "machine/WorkerSchedule.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ipumodel {

WorkerSchedule::WorkerSchedule(unsigned workerContexts) : contexts_(workerContexts) {
  if (workerContexts < 1 || workerContexts > kMostContexts)
    throw std::invalid_argument("worker contexts = " + std::to_string(workerContexts) +
                                "; it must be from 1 to " + std::to_string(kMostContexts));
}

void WorkerSchedule::add(VertexKind kind, std::optional<std::uint64_t> cycles) {
  if (!cycles)
    ++unknown_;
  else if (kind == VertexKind::Worker)
    addWorker(*cycles);
  else
    addWholeTile(*cycles);
}

void WorkerSchedule::addWorker(std::uint64_t workerCycles) {
  *std::min_element(freeAt_.begin(), freeAt_.begin() + contexts_) += workerCycles;
}

void WorkerSchedule::addWholeTile(std::uint64_t tileCycles) {
  wholeTile_ += tileCycles;
}

TileCompute WorkerSchedule::result() const {
  const auto end = freeAt_.begin() + contexts_;
  const std::uint64_t longest = *std::max_element(freeAt_.begin(), end);
  const std::uint64_t sum = std::accumulate(freeAt_.begin(), end, std::uint64_t{0});
  return {wholeTile_ + contexts_ * longest, contexts_ * (wholeTile_ + sum), unknown_};
}

} // namespace ipumodel
