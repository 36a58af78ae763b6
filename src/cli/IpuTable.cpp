#include "cli/IpuTable.hpp"

#include "network/UserError.hpp"
#include "train/ScheduleFor.hpp"

#include <fmt/format.h>

#include <optional>

namespace spillway {
namespace {

constexpr std::uint32_t kMostIpus = 64;

struct IpuRow {
  bool fits = false;
  std::string strategy; // or why there is none
  std::uint64_t bytes = 0;
  double seconds = 0.0;
};

IpuRow rowOf(Settings settings, const PlanOptions& options, std::uint32_t numIpus) {
  settings.machine.numIpus = numIpus;
  std::optional<PlanInputs> inputs;
  try {
    inputs.emplace(planInputs(settings, options));
  } catch (const UserError&) {
    return {false, "too few tiles", 0, 0.0};
  }
  const StrategyKind kind = settings.checkpoint.strategy;
  plan::StrategyPlan found;
  if (kind != StrategyKind::Auto) {
    found = planOfRun(planStrategyOf(kind), settings, *inputs);
  } else {
    const plan::Plan all = plan::planAll(inputs->request, inputs->memory);
    if (!all.chosen) {
      return {false, "none fits", all.smallestBudget.value_or(0), 0.0};
    }
    found = all.table[*all.chosen];
  }
  return {found.fits, found.fits ? plan::nameOf(found.choice.strategy) : "does not fit",
          inputs->memory.bytesAgainst(found.demand, inputs->request.limit),
          found.time.total / inputs->clockHz};
}

} // namespace

std::string ipusAsText(const Settings& settings, const PlanOptions& options) {
  if (settings.machine.device == DeviceKind::Cpu) {
    throw UserError("--ipus is of IPUs: machine.device must be model or ipu");
  }
  std::string text = "one network over several IPUs, modelled (docs/parallel.md)\n"
                     "  IPUs  strategy        fullest tile   an update  samples/s  per IPU\n";
  std::optional<std::uint32_t> needed;
  double first = 0.0; // samples a second and IPU
  for (std::uint32_t n = 1; n <= kMostIpus; n *= 2) {
    const IpuRow row = rowOf(settings, options, n);
    text += fmt::format("{:6}  {:<14}", n, row.strategy);
    if (row.bytes != 0) {
      text += fmt::format("{:10.1f} KiB", static_cast<double>(row.bytes) / 1024.0);
    }
    if (row.fits) {
      const double rate = settings.train.numAtOnce() / row.seconds;
      if (!needed) {
        needed = n;
        first = rate / n;
      }
      text += fmt::format("{:9.2f} ms{:11.0f}{:7.0f} %", 1e3 * row.seconds, rate,
                          100.0 * rate / n / first);
    }
    text += "\n";
  }
  return text + (needed ? fmt::format("it needs {} IPU{}\n", *needed, *needed == 1 ? "" : "s")
                        : fmt::format("it does not fit {} IPUs\n", kMostIpus));
}

} // namespace spillway
