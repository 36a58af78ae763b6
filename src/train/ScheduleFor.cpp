#include "train/ScheduleFor.hpp"

#include "network/SettingError.hpp"
#include "plan/Binomial.hpp"
#include "train/AutoPlan.hpp"
#include "train/TimeBlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace spillway {
namespace {

constexpr plan::Step kRemoteChunk = 256; // the upper end of the paper's best range at T = 4096
constexpr plan::Step kChunks = 5, kChunksOfRemote = 4; // of whole chunks, a remote one
constexpr plan::Step kLocalCheckpoints = 8;

bool isOnCpu(const Settings& settings) {
  return settings.machine.device == DeviceKind::Cpu;
}

// About the square root keeps the fewest states. Layers that run in blocks follow each other block
// by block, and at the ends of a chunk most of them are idle: then chunks are whole blocks, at
// least four where that leaves so many chunks, and half as long again, which keeps a twelfth more
// states.
plan::Step chunkOf(plan::Step steps, plan::Step block, plan::Step chunks) {
  const double root = std::sqrt(steps);
  if (block == 1) {
    return static_cast<plan::Step>(std::lround(root));
  }
  constexpr plan::Step kBlocks = 4;
  const auto blocks = static_cast<plan::Step>(std::lround(1.5 * root / static_cast<double>(block)));
  const plan::Step least = std::min(kBlocks, (steps + block - 1) / block / chunks);
  return std::max<plan::Step>({1, blocks, least}) * block;
}

// Where no memory says how much a strategy may keep.
void fixTheRest(plan::Strategy strategy, plan::Step numSteps, plan::Step block,
                plan::StrategyChoice& fixed) {
  const auto fill = [](auto& parameter, auto value) {
    parameter = parameter != 0 ? parameter : value;
  };
  fill(fixed.remoteChunk, kRemoteChunk);
  fill(fixed.chunk, strategy == plan::Strategy::Double
                        ? chunkOf(std::min(fixed.remoteChunk, numSteps), block, kChunksOfRemote)
                        : chunkOf(numSteps, block, kChunks));
  fill(fixed.numLocal, kLocalCheckpoints);
  fill(fixed.numSlots, plan::slotsForRepeats(numSteps, 1));
}

// Without a budget an IPU is judged by its compiler, which knows more.
bool isLimited(const Settings& settings) {
  return isOnCpu(settings) || settings.checkpoint.memoryBudgetBytes != 0;
}

// REQUIRES: the row does not keep to the budget that was set, to the host's memory or to the remote
// capacity.
SettingError tooLarge(const plan::StrategyPlan& row, const Settings& settings,
                      const PlanInputs& inputs) {
  const bool onCpu = isOnCpu(settings);
  if (!row.fitsRemote) {
    return SettingError(
        "checkpoint.remoteCapacity",
        fmt::format("this checkpoint.strategy keeps {} bytes in remote memory for {} steps, but "
                    "checkpoint.remoteCapacity = {}; {}; `spillway plan` compares strategies, auto "
                    "takes one that fits",
                    row.remote.total(), inputs.request.numSteps,
                    settings.checkpoint.remoteCapacityBytes,
                    plan::whatWouldFit(inputs.request, row.smallestBudget, std::nullopt,
                                       row.smallestRemote)));
  }
  const std::uint64_t budget = settings.checkpoint.memoryBudgetBytes;
  return SettingError(
      "checkpoint.strategy",
      fmt::format(
          "this checkpoint.strategy needs {} bytes{} for {} steps, but {} leaves it {}; {}; "
          "`spillway plan` compares strategies, auto takes one that fits",
          onCpu ? row.memory.totalBytes : row.memory.largest.total(),
          onCpu ? "" : " on the largest tile", inputs.request.numSteps,
          budget != 0 ? fmt::format("checkpoint.memoryBudget = {}", budget) : "the host's memory",
          inputs.request.budgetBytes,
          plan::whatWouldFit(inputs.request, row.smallestBudget, std::nullopt,
                             row.smallestRemote)));
}

} // namespace

plan::PlanRequest requestOfRun(plan::Strategy strategy, const Settings& settings,
                               const PlanInputs& inputs) {
  plan::PlanRequest request = inputs.request;
  if (isOnCpu(settings) && settings.checkpoint.memoryBudgetBytes == 0) {
    fixTheRest(strategy, request.numSteps, timeBlockOf(settings), request.fixed);
  }
  return request;
}

plan::StrategyPlan planOfRun(plan::Strategy strategy, const Settings& settings,
                             const PlanInputs& inputs, plan::PlanDetail detail) {
  return plan::planStrategy(strategy, requestOfRun(strategy, settings, inputs), inputs.memory,
                            detail);
}

ChosenSchedule scheduleFor(const Settings& settings) {
  const PlanInputs inputs = planInputs(settings);
  if (settings.checkpoint.strategy != StrategyKind::Auto) {
    const plan::Strategy strategy = planStrategyOf(settings.checkpoint.strategy);
    const plan::StrategyPlan row = planOfRun(strategy, settings, inputs, plan::PlanDetail::Times);
    if (!row.fitsRemote || (!row.fits && isLimited(settings))) {
      throw tooLarge(planOfRun(strategy, settings, inputs), settings, inputs);
    }
    return {plan::scheduleOf(row, inputs.request), ""};
  }
  if (const auto lean = leanestNearFastest(settings, inputs, plan::PlanDetail::Times)) {
    return {plan::scheduleOf(*lean, inputs.request),
            reasonFor(*lean, inputs) + "; f, r, b " + inputs.originOfCosts};
  }
  const plan::Plan found = plan::planAll(inputs.request, inputs.memory, plan::PlanDetail::Times);
  if (!found.chosen) {
    throw SettingError("checkpoint.strategy",
                       "checkpoint.strategy = auto: " +
                           plan::planAll(inputs.request, inputs.memory).reason);
  }
  return {plan::scheduleOf(found.table[*found.chosen], inputs.request),
          found.reason + "; f, r, b " + inputs.originOfCosts};
}

plan::Strategy planStrategyOf(StrategyKind kind) {
  if (kind == StrategyKind::Auto) {
    throw std::logic_error("auto is a choice among strategies, not one of them");
  }
  return plan::kAllStrategies[static_cast<std::size_t>(kind)]; // in the same order
}

} // namespace spillway
