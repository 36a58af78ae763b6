#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/OpenSession.hpp"
#include "cli/PlanTable.hpp"
#include "cli/Prepare.hpp"
#include "config/Keys.hpp"
#include "network/UserError.hpp"
#include "plan/ScheduleText.hpp"
#include "train/PlanInputs.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

namespace po = boost::program_options;

const CommandText kText{
    "plan", "CONFIG [options]",
    "Compares all checkpoint strategies for a network, a length and a memory budget: memory per\n"
    "tile, modelled time by part, whether it fits, and the longest sequence that would. Nothing "
    "is\n"
    "built or run. Keys that fix a chunk hold for every strategy that has one.",
    "spillway plan configs/quickstart.cfg --set data.steps=4096 --set machine.device=model"};

plan::Strategy strategyNamed(const std::string& name) {
  for (const plan::Strategy strategy : plan::kAllStrategies) {
    if (name == plan::nameOf(strategy)) {
      return strategy;
    }
  }
  throw UserError("the strategy " + name +
                  " is not known: it must be one of base, standard, remote, hierarchical, "
                  "double, revolve, optimal or streamed");
}

LedgerComparison compareWithLedger(const Settings& settings, const PlanInputs& inputs,
                                   const plan::StrategyPlan& row) {
  const plan::Schedule schedule = plan::scheduleOf(row, inputs.request);
  const plan::MemoryDemand demand = plan::demandOf(schedule);
  LedgerComparison comparison{plan::describe(row.choice), {}, {}};
  comparison.ledger = ledgerOf(sessionRequest(settings, schedule));
  for (std::uint32_t tile = 0; tile < comparison.ledger.size(); ++tile) {
    comparison.planned.push_back(inputs.memory.onTile(tile, demand));
  }
  return comparison;
}

} // namespace

ExitCode planCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("json", "print everything, every count included, as JSON")(
      "schedule", po::value<std::string>()->value_name("STRATEGY"),
      "print the strategy's schedule, one action a line (form: docs/checkpointing.md)")(
      "verify", po::value<std::string>()->implicit_value("auto")->value_name("STRATEGY"),
      "build the graph for a strategy [the one auto takes] and set the IPU Model's ledger of bytes "
      "per tile beside the plan")(
      "activity", po::value<double>()->value_name("SHARE"),
      "how full lists of ids are, as a share of their caps [1; 0.05 of the size where there is no "
      "cap]");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const bool plain = !given->contains("json") && !given->contains("schedule");
  std::ostream quiet(nullptr);
  Settings settings = loadTarget(required(*given, "config", "plan CONFIG [options]"),
                                 values(*given, "set"), plain ? out : quiet)
                          .settings;
  openData(settings);
  std::optional<double> activity;
  if (given->contains("activity")) {
    activity = (*given)["activity"].as<double>();
    if (!(*activity > 0.0 && *activity <= 1.0)) {
      throw UserError(fmt::format("--activity {}: must be above 0 and at most 1", *activity));
    }
  }
  const PlanInputs inputs = planInputs(settings, activity);
  if (given->contains("schedule")) {
    const plan::Strategy strategy = strategyNamed((*given)["schedule"].as<std::string>());
    const plan::StrategyPlan row = plan::planStrategy(strategy, inputs.request, inputs.memory);
    plan::writeText(out, plan::scheduleOf(row, inputs.request));
    return ExitCode::Done;
  }
  const plan::Plan found = plan::planAll(inputs.request, inputs.memory);
  if (given->contains("verify")) {
    const std::string name = (*given)["verify"].as<std::string>();
    if (name == "auto" && !found.chosen) {
      throw UserError(found.reason);
    }
    const plan::StrategyPlan row =
        name == "auto" ? found.table[*found.chosen]
                       : plan::planStrategy(strategyNamed(name), inputs.request, inputs.memory);
    out << ledgerAsText(compareWithLedger(settings, inputs, row));
    return ExitCode::Done;
  }
  out << (plain ? planAsText(found, inputs) : planAsJson(found, inputs));
  return ExitCode::Done;
}

} // namespace spillway
