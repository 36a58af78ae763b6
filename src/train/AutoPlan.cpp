#include "train/AutoPlan.hpp"

#include "train/ScheduleFor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace spillway {
namespace {

// Of the room for a layer's ids, and for values of events, how much lists are expected to hold.
double expectedFill(const NetworkSpec& network) {
  double room = 0.0, held = 0.0;
  for (const LayerSpec& layer : network.layers) {
    const double cap = layer.maxActive == 0 ? layer.size : layer.maxActive;
    room += cap;
    held += std::min(cap, layer.size * assumedActivity(layer));
  }
  return room == 0.0 ? 1.0 : held / room;
}

} // namespace

std::optional<plan::StrategyPlan>
leanestNearFastest(const Settings& settings, const PlanInputs& inputs, plan::PlanDetail detail) {
  if (settings.machine.device != DeviceKind::Cpu || settings.checkpoint.memoryBudgetBytes != 0) {
    return std::nullopt;
  }
  using enum plan::Strategy;
  // What a step of gated layers costs again is known only where it was measured.
  const bool knowsLight = !settings.network.isGated() || inputs.costsMeasured;
  std::vector<plan::StrategyPlan> rows;
  for (const plan::Strategy strategy : {Base, Cached, Standard}) {
    if (plan::isAllowed(strategy, inputs.request) && (strategy != Standard || knowsLight)) {
      rows.push_back(planOfRun(strategy, settings, inputs, detail));
    }
  }
  std::erase_if(rows, [](const plan::StrategyPlan& row) { return !row.fits; });
  if (rows.empty()) {
    return std::nullopt;
  }
  const double empty = 1.0 - expectedFill(settings.network);
  const auto bytes = [empty](const plan::StrategyPlan& row) { // resident ones
    return static_cast<double>(row.memory.totalBytes) -
           empty * static_cast<double>(row.memory.appendedBytes);
  };
  // Of those that take equally long the one that needs least.
  const auto fastest =
      std::min_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        return std::pair(a.time.total, bytes(a)) < std::pair(b.time.total, bytes(b));
      });
  auto best = fastest;
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (row->time.total <= (1.0 + kTimeForMemory) * fastest->time.total &&
        bytes(*row) <= (1.0 - kMemoryWorthTime) * bytes(*fastest) && bytes(*row) < bytes(*best)) {
      best = row;
    }
  }
  return *best;
}

std::string reasonFor(const plan::StrategyPlan& lean, const PlanInputs& inputs) {
  const double base = plan::timeOfBase(inputs.request);
  return fmt::format("{}: without a checkpoint.memoryBudget the leanest of base, cached and "
                     "standard that takes at most {:.0f} % longer than the fastest, {:+.1f} % over "
                     "storing every state",
                     plan::describe(lean.choice), 100.0 * kTimeForMemory,
                     100.0 * (lean.time.total / base - 1.0));
}

plan::Plan planOfAuto(const Settings& settings, const PlanInputs& inputs, plan::PlanDetail detail) {
  plan::Plan found = plan::planAll(inputs.request, inputs.memory, detail);
  if (const auto lean = leanestNearFastest(settings, inputs, detail)) {
    const auto row = std::find_if(found.table.begin(), found.table.end(), [&](const auto& other) {
      return other.choice.strategy == lean->choice.strategy;
    });
    *row = *lean;
    found.chosen = static_cast<std::size_t>(row - found.table.begin());
    found.reason = reasonFor(*lean, inputs);
  }
  return found;
}

} // namespace spillway
