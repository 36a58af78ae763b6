#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/IpuTable.hpp"
#include "cli/LedgerTable.hpp"
#include "cli/MeasureCosts.hpp"
#include "cli/OpenSession.hpp"
#include "cli/PlanMap.hpp"
#include "cli/PlanOptions.hpp"
#include "cli/PlanTable.hpp"
#include "cli/Prepare.hpp"
#include "cli/ScalingTable.hpp"
#include "config/Keys.hpp"
#include "network/UserError.hpp"
#include "parallel/OneRank.hpp"
#include "plan/ScheduleText.hpp"
#include "train/AutoPlan.hpp"
#include "train/DurableFile.hpp"
#include "train/LargestNetwork.hpp"
#include "train/ScheduleFor.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

namespace po = boost::program_options;

const CommandText kText{
    "plan", "[CONFIG] [options]",
    "Compares all checkpoint strategies for a network, a length and a memory budget: memory per\n"
    "tile, modelled time by part, whether it fits, the longest sequence and the largest network "
    "that\n"
    "would. Nothing is built or run, unless --verify asks for it. What fixes a chunk holds for "
    "every\n"
    "strategy that has one. With --slots it plans in states instead of bytes, for any costs.",
    "spillway plan configs/quickstart.cfg --set data.steps=4096 --set machine.device=model\n"
    "  spillway plan --slots 8 --steps 1000 --light 0.2 --write 3 --read 3"};

plan::Strategy strategyNamed(const std::string& name) {
  for (const plan::Strategy strategy : plan::kAllStrategies) {
    if (name == plan::nameOf(strategy)) {
      return strategy;
    }
  }
  throw UserError("the strategy " + name +
                  " is not known: it must be one of base, standard, remote, hierarchical, "
                  "double, revolve, optimal, streamed or cached");
}

LedgerComparison compareWithLedger(const Settings& settings, const PlanInputs& inputs,
                                   const plan::StrategyPlan& row) {
  const plan::Schedule schedule = plan::scheduleOf(row, inputs.request);
  const plan::MemoryDemand demand = plan::demandOf(schedule);
  const plan::MemoryModel& memory = plan::memoryFor(schedule, inputs.request, inputs.memory);
  OneRank alone;
  SessionLedger held =
      ledgerOf(replicated(sessionRequest(settings, schedule), replicationOf(settings, alone)));
  LedgerComparison comparison{.strategy = plan::describe(row.choice),
                              .planned = {},
                              .ledger = std::move(held.tiles),
                              .plannedRemote = memory.remote(demand),
                              .heldRemote = held.remote};
  for (std::uint32_t tile = 0; tile < comparison.ledger.size(); ++tile) {
    comparison.planned.push_back(memory.onTile(tile, demand));
  }
  return comparison;
}

// What every form of the answer begins with.
struct Task {
  Config config; // as it stands without one, in states
  PlanOptions options;
  bool inSlots = false; // states in place of bytes
  bool plain = true;    // for people: tables and remarks

  // A table has no smallest budgets.
  plan::PlanDetail detail() const {
    return plain ? plan::PlanDetail::Lengths : plan::PlanDetail::Limits;
  }
};

// The map of winners around the request's length and backward cost.
void writeMap(const std::string& path, const plan::PlanRequest& request, std::ostream& out) {
  if (!path.ends_with(".csv") && !path.ends_with(".svg")) {
    throw UserError("--map " + path + ": must end in .svg or .csv");
  }
  const CrossoverMap map = crossoverFor(request);
  writeDurably(path, path.ends_with(".csv") ? crossoverTable(map) : crossoverPicture(map));
  out << path << "\n";
}

// By name. Throws UserError where the machine or the network rules it out.
plan::Strategy possibleStrategy(const std::string& name, const PlanInputs& inputs) {
  const plan::Strategy strategy = strategyNamed(name);
  if (strategy == plan::Strategy::Streamed && !inputs.request.overlap && !inputs.streamedWaits) {
    throw UserError("streamed needs transfers that run beside compute: neither --synchronous nor "
                    "the paper's layout, and on an IPU tiles to spare for them");
  }
  if (strategy == plan::Strategy::Cached && !inputs.request.surrogateCache) {
    throw UserError("cached needs a network whose backward pass reads states at stored ids alone: "
                    "lif or alif layers with resetGradient = pass and a gradientTheta, and no loss "
                    "on every step");
  }
  return strategy;
}

// One strategy, by name, as a run of it would be.
plan::StrategyPlan planNamed(const std::string& name, const Task& task, const PlanInputs& inputs) {
  const plan::Strategy strategy = possibleStrategy(name, inputs);
  return task.inSlots ? plan::planStrategy(strategy, inputs.request, inputs.memory, task.detail())
                      : planOfRun(strategy, task.config.settings, inputs, task.detail());
}

// REQUIRES: a plan in slots, with limits. Throws UserError where the row takes more than there are.
void requireSlots(const plan::StrategyPlan& row, const plan::PlanRequest& request) {
  if (row.fits) {
    return;
  }
  const char* name = plan::nameOf(row.choice.strategy);
  if (!row.smallestBudget) {
    throw UserError(fmt::format("--rows {}: {} needs {} rows of Streaming Memory for {} steps",
                                request.remoteRows.value_or(0), name,
                                row.smallestRemote ? std::to_string(row.smallestRemote->rows)
                                                   : std::string("more"),
                                request.numSteps));
  }
  throw UserError(fmt::format("--slots {}: {} needs {} slots for {} steps", request.budgetBytes,
                              name, *row.smallestBudget, request.numSteps));
}

// Options that ask for different things at once.
void requireConsistent(const po::variables_map& given) {
  const auto exclude = [&](std::initializer_list<const char*> names) {
    const char* first = nullptr;
    for (const char* name : names) {
      if (!given.contains(name)) {
        continue;
      }
      if (first != nullptr) {
        throw UserError(fmt::format("--{} and --{} contradict each other: give one", first, name));
      }
      first = name;
    }
  };
  exclude({"schedule", "map", "verify", "ipus", "scaling", "only"});
  exclude({"json", "schedule"});
  exclude({"json", "map"});
  exclude({"json", "ipus"});
  exclude({"json", "scaling"});
  for (const char* name :
       {"set", "verify", "ipus", "scaling", "measure", "activity", "remote-capacity"}) {
    if (given.contains("slots") && given.contains(name) &&
        (std::string(name) != "set" || !values(given, "set").empty())) {
      throw UserError(fmt::format("--{} belongs to a CONFIG; --slots plans without one", name));
    }
  }
  if (given.contains("slots") && given.contains("config")) {
    throw UserError("--slots plans in states without a CONFIG; the budget of a CONFIG is "
                    "checkpoint.memoryBudget");
  }
}

// One strategy or all of them.
plan::Plan makePlan(const Task& task, const PlanInputs& inputs, const po::variables_map& given) {
  if (!given.contains("only")) {
    return task.inSlots ? plan::planAll(inputs.request, inputs.memory, task.detail())
                        : planOfAuto(task.config.settings, inputs, task.detail());
  }
  const plan::Strategy strategy = possibleStrategy(given["only"].as<std::string>(), inputs);
  const plan::PlanRequest request =
      task.inSlots ? inputs.request : requestOfRun(strategy, task.config.settings, inputs);
  return plan::planOnly(strategy, request, inputs.memory, task.detail());
}

void addOptions(Arguments& arguments) {
  arguments.options().add_options()("json", "print everything, every count included, as JSON")(
      "schedule", po::value<std::string>()->value_name("STRATEGY"),
      "print the strategy's schedule, one action a line (form: docs/checkpointing.md)")(
      "only", po::value<std::string>()->value_name("STRATEGY"), "plan this strategy alone")(
      "map", po::value<std::string>()->value_name("FILE"),
      "write which strategy is fastest over r/f, transfer cost and slots: a picture (.svg) or a "
      "table (.csv)")(
      "verify", po::value<std::string>()->implicit_value("auto")->value_name("STRATEGY"),
      "build the graph for a strategy [the one auto takes] and set the IPU Model's ledger of bytes "
      "per tile beside the plan")(
      "measure",
      "time steps and transfers on the cpu device first, and keep the costs for later plans "
      "and strategy = auto")(
      "ipus", "how many IPUs the network needs, and what spreading it over more costs")(
      "scaling", "what a copy of the network on each of up to 64 IPUs gains");
  addPlanOptions(arguments.options());
  arguments.addSet();
  arguments.positional("config", 1);
}

// Tables and lists of actions grow with the steps: seconds and 80 MB for every million.
constexpr std::uint32_t kMostSteps = 10'000'000, kManySteps = 1'000'000;

void requirePlannable(std::uint32_t numSteps, bool plain) {
  if (numSteps > kMostSteps) {
    throw UserError(fmt::format("{} steps: a plan is made for 1 to {} (--steps, or data.steps)",
                                numSteps, kMostSteps));
  }
  if (numSteps > kManySteps && plain) {
    fmt::print(stderr, "planning {} steps takes seconds for every million\n", numSteps);
  }
}

Task makeTask(const po::variables_map& given, std::ostream& remarks) {
  Task task{{}, planOptions(given), given.contains("slots"), false};
  task.plain = !given.contains("json") && !given.contains("schedule");
  std::ostream quiet(nullptr);
  if (!task.inSlots) {
    task.config = loadTarget(required(given, "config", "plan CONFIG [options]"),
                             values(given, "set"), task.plain ? remarks : quiet);
    openData(task.config);
    std::uint32_t& steps = task.config.settings.data.numSteps;
    steps = stepsGiven(given).value_or(steps);
  }
  requirePlannable(stepsGiven(given).value_or(task.config.settings.data.numSteps), task.plain);
  return task;
}

PlanInputs inputsOf(const Task& task, const po::variables_map& given) {
  PlanInputs inputs = withPlaces(task.config.origins, [&] {
    return task.inSlots ? slotInputs(given) : planInputs(task.config.settings, task.options);
  });
  applyGiven(inputs.request, given);
  return inputs;
}

std::string verified(const plan::Plan& found, const Task& task, const PlanInputs& inputs,
                     const std::string& name) {
  if (name == "auto" && !found.chosen) {
    throw UserError(found.reason);
  }
  const plan::StrategyPlan row =
      name == "auto" ? found.table[*found.chosen] : planNamed(name, task, inputs);
  const LedgerComparison comparison = compareWithLedger(task.config.settings, inputs, row);
  return task.plain ? ledgerAsText(comparison) : ledgerAsJson(comparison);
}

// What a run of the configuration does; none where nothing fits.
std::optional<plan::StrategyPlan> planOfRun(const plan::Plan& found, const Task& task,
                                            const PlanInputs& inputs) {
  const Settings& settings = task.config.settings;
  if (settings.checkpoint.strategy != StrategyKind::Auto) {
    return planOfRun(planStrategyOf(settings.checkpoint.strategy), settings, inputs, task.detail());
  }
  return found.chosen ? std::optional(found.table[*found.chosen]) : std::nullopt;
}

std::string compared(const plan::Plan& found, const Task& task, const PlanInputs& inputs) {
  if (task.inSlots) {
    return task.plain ? slotPlanAsText(found, inputs) : planAsJson(found, inputs, {}, {});
  }
  std::vector<plan::Strategy> strategies;
  for (const plan::StrategyPlan& row : found.table) {
    strategies.push_back(row.choice.strategy);
  }
  const std::vector<NetworkSize> networks =
      largestNetworks(task.config.settings, task.options, strategies);
  const auto run = planOfRun(found, task, inputs);
  return task.plain ? planAsText(found, inputs, run, networks)
                    : planAsJson(found, inputs, run, networks);
}

} // namespace

ExitCode planCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  addOptions(arguments);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  requireConsistent(*given);
  const Task task = makeTask(*given, out);
  const Settings& settings = task.config.settings;
  if (given->contains("ipus") || given->contains("scaling")) {
    out << withPlaces(task.config.origins, [&] {
      return given->contains("ipus") ? ipusAsText(settings, task.options)
                                     : scalingAsText(settings, task.options);
    });
    return ExitCode::Done;
  }
  if (given->contains("measure")) {
    const MeasuredCosts costs =
        withPlaces(task.config.origins, [&] { return measureAndRemember(task.config); });
    if (task.plain) {
      out << measuredAsText(costs, settings);
    }
  }
  const PlanInputs inputs = inputsOf(task, *given);
  if (given->contains("schedule")) {
    const plan::StrategyPlan row = planNamed((*given)["schedule"].as<std::string>(), task, inputs);
    if (task.inSlots) {
      requireSlots(row, inputs.request);
    }
    plan::writeText(out, plan::scheduleOf(row, inputs.request));
  } else if (given->contains("map")) {
    writeMap((*given)["map"].as<std::string>(), inputs.request, out);
  } else if (const plan::Plan found = makePlan(task, inputs, *given); given->contains("verify")) {
    out << verified(found, task, inputs, (*given)["verify"].as<std::string>());
  } else {
    out << compared(found, task, inputs);
  }
  return ExitCode::Done;
}

} // namespace spillway
