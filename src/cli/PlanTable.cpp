#include "cli/PlanTable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

double kib(std::uint64_t bytes) {
  return static_cast<double>(bytes) / 1024.0;
}

// What does not depend on the schedule.
std::uint64_t fixedBytes(const plan::MemoryParts& parts) {
  return parts.total() - parts.states - parts.spikes;
}

std::string largest(const std::optional<plan::Step>& steps) {
  return steps ? std::to_string(*steps) : "any";
}

std::string sizeAsText(const NetworkSize& size) {
  if (size.numHidden == 0 || size.numHidden == kMostHidden) {
    return size.numHidden == 0 ? "none" : "any";
  }
  return fmt::format("{} x {}", size.numHidden, size.neuronsPerTile);
}

template <class Value>
Json orNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json timeAsJson(const plan::TimeSplit& time) {
  return {{"forward", time.forward},   {"backward", time.backward}, {"recompute", time.recompute},
          {"transfer", time.transfer}, {"sync", time.sync},         {"stall", time.stall},
          {"total", time.total},       {"hidden", time.hidden}};
}

Json countsAsJson(const plan::ScheduleCounts& counts) {
  return {{"forwardSteps", counts.forwardSteps},   {"lightSteps", counts.lightSteps},
          {"backwardSteps", counts.backwardSteps}, {"remoteWrites", counts.remoteWrites},
          {"remoteReads", counts.remoteReads},     {"remoteWriteOps", counts.remoteWriteOps},
          {"remoteReadOps", counts.remoteReadOps}, {"spikeWrites", counts.spikeWrites},
          {"spikeReads", counts.spikeReads},       {"slotsUsed", counts.slotsUsed}};
}

Json memoryAsJson(const plan::MemoryUse& use) {
  const plan::MemoryParts& parts = use.largest;
  return {{"largestTile", use.largestTile},
          {"largestTileBytes", parts.total()},
          {"meanTileBytes", use.meanBytes},
          {"totalBytes", use.totalBytes},
          {"largestTileParts",
           {{"states", parts.states},
            {"spikes", parts.spikes},
            {"weights", parts.weights},
            {"gradients", parts.gradients},
            {"optimiser", parts.optimiser},
            {"adjoint", parts.adjoint},
            {"temporaries", parts.temporaries},
            {"staging", parts.staging},
            {"rest", parts.rest}}}};
}

Json needAsJson(const std::optional<plan::RemoteNeed>& need) {
  return need ? Json{{"bytes", need->bytes}, {"rows", need->rows}} : Json(nullptr);
}

Json rowAsJson(const plan::StrategyPlan& row) {
  const plan::StrategyChoice& choice = row.choice;
  return {{"strategy", plan::nameOf(choice.strategy)},
          {"description", plan::describe(choice)},
          {"chunk", choice.chunk},
          {"remoteChunk", choice.remoteChunk},
          {"numLocal", choice.numLocal},
          {"numSlots", choice.numSlots},
          {"literal", choice.form == plan::Form::Literal},
          {"transferMargin", choice.transferMargin},
          {"spikeBlock", choice.spikeBlock},
          {"numSpikeBuffers", choice.numSpikeBuffers},
          {"fits", row.fits},
          {"counts", countsAsJson(row.counts)},
          {"numActions", row.numActions},
          {"timeCycles", timeAsJson(row.time)},
          {"lowerBoundCycles", row.lowerBound},
          {"exact", orNull(row.isExact)},
          {"memory", memoryAsJson(row.memory)},
          {"remoteBytes",
           {{"states", row.remote.states},
            {"spikes", row.remote.spikes},
            {"values", row.remote.values},
            {"table", row.remote.table},
            {"total", row.remote.total()}}},
          {"smallestBudgetBytes", orNull(row.smallestBudget)},
          {"smallestRemote", needAsJson(row.smallestRemote)},
          {"largestSteps", orNull(row.largestSteps)}};
}

// Of the strategies that claim to be the best.
std::string certificates(const plan::Plan& plan) {
  std::string out;
  for (const plan::StrategyPlan& row : plan.table) {
    if (row.isExact) {
      out += plan::certificateOf(row) + "\n";
    }
  }
  return out;
}

// One line: what machine.gradientCopies trades.
std::string copiesAsText(const PlanInputs& inputs) {
  std::string out;
  for (const PlanInputs::GradientCopies& choice : inputs.gradientCopies) {
    out += fmt::format("{}{}{}: {:.1f} KiB, b {:.0f}", out.empty() ? "" : "; ", choice.copies,
                       choice.chosen ? " (chosen)" : "", kib(choice.bytes), choice.backwardCycles);
    out += choice.addingCycles > 0.0 ? fmt::format(" + {:.0f} an update", choice.addingCycles) : "";
  }
  return out.empty() ? ""
                     : "copies of the weight gradients on a tile, modelled cycles of a backward "
                       "step: " +
                           out + "\n";
}

Json copiesAsJson(const PlanInputs& inputs) {
  Json all = Json::array();
  for (const PlanInputs::GradientCopies& choice : inputs.gradientCopies) {
    all.push_back({{"copies", choice.copies},
                   {"chosen", choice.chosen},
                   {"bytes", choice.bytes},
                   {"backwardCycles", choice.backwardCycles},
                   {"addingCyclesPerUpdate", choice.addingCycles}});
  }
  return all;
}

Json costsAsJson(const plan::Costs& costs) {
  return {{"forward", costs.forward},           {"light", costs.light},
          {"backward", costs.backward},         {"writePerState", costs.writePerState},
          {"writeLatency", costs.writeLatency}, {"readPerState", costs.readPerState},
          {"readLatency", costs.readLatency},   {"perAction", costs.perAction}};
}

// Of the machine with tiles set aside for transfers, where there is one.
Json overlapAsJson(const plan::PlanRequest& request) {
  if (!request.overlap || !request.beside) {
    return nullptr;
  }
  Json costs = costsAsJson(request.beside->costs);
  costs["stageOut"] = request.beside->costs.stageOut;
  costs["stageIn"] = request.beside->costs.stageIn;
  costs["ioTiles"] = request.beside->numIoTiles;
  return costs;
}

} // namespace

std::string planAsText(const plan::Plan& plan, const PlanInputs& inputs,
                       const std::optional<plan::StrategyPlan>& run,
                       const std::vector<NetworkSize>& networks) {
  std::vector<plan::StrategyPlan> rows = plan.table;
  const auto isRun = [&](const plan::StrategyPlan& row) {
    return run && row.choice == run->choice;
  };
  if (run && std::none_of(rows.begin(), rows.end(), isRun)) {
    rows.push_back(*run);
  }
  std::size_t width = 8;
  for (const plan::StrategyPlan& row : rows) {
    width = std::max(width, plan::describe(row.choice).size());
  }
  std::string out =
      fmt::format("{} steps on {}\nKiB on the largest tile and on the mean one, parts "
                  "of the largest; MiB off chip; modelled ms per update\n\n",
                  inputs.request.numSteps, inputs.assumptions);
  out += fmt::format(
      "{:{}} {:4} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} | {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} "
      "{:>7} {:>8} {:>9} {:>11}\n",
      "strategy", width, "fits", "largest", "mean", "states", "spikes", "fixed", "off chip",
      "total", "forward", "backward", "recompute", "transfer", "sync", "stall", "bound",
      "longest T", "largest net");
  const double toMs = 1e3 / inputs.clockHz;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const plan::StrategyPlan& row = rows[i];
    const plan::MemoryParts& parts = row.memory.largest;
    const plan::TimeSplit& time = row.time;
    out += fmt::format(
        "{:{}} {:4} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} | {:>9.3f} {:>9.3f} "
        "{:>9.3f} {:>9.3f} {:>9.3f} {:>7.3f} {:>7.3f} {:>+6.1f} % {:>9} {:>11}{}{}\n",
        plan::describe(row.choice), width, row.fits ? "yes" : "no", kib(parts.total()),
        row.memory.meanBytes / 1024.0, kib(parts.states), kib(parts.spikes), kib(fixedBytes(parts)),
        kib(row.remote.total()) / 1024.0, time.total * toMs, time.forward * toMs,
        time.backward * toMs, time.recompute * toMs, time.transfer * toMs, time.sync * toMs,
        time.stall * toMs, 100.0 * (time.total / row.lowerBound - 1.0), largest(row.largestSteps),
        i < networks.size() ? sizeAsText(networks[i]) : "", plan.chosen == i ? "  <- auto" : "",
        isRun(row) ? "  <- run" : "");
  }
  std::string leftOut;
  for (const std::string& reason : inputs.leftOut) {
    leftOut += "left out: " + reason + "\n";
  }
  return out +
         "\nbound: over the lower bound for its slots; largest net: hidden layers like the "
         "last one x neurons on a tile\n" +
         certificates(plan) + copiesAsText(inputs) + leftOut + "auto: " + plan.reason + "\n";
}

std::string slotPlanAsText(const plan::Plan& plan, const PlanInputs& inputs) {
  const plan::PlanRequest& request = inputs.request;
  const double base = plan::timeOfBase(request);
  std::string out =
      fmt::format("{} steps, {}\n\n{:46} {:4} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} "
                  "{:>14} {:>9} {:>9}\n",
                  request.numSteps, inputs.assumptions, "strategy", "fits", "slots", "light",
                  "writes", "reads", "ops out", "ops in", "time", "over Base", "bound");
  for (std::size_t i = 0; i < plan.table.size(); ++i) {
    const plan::StrategyPlan& row = plan.table[i];
    const plan::ScheduleCounts& counts = row.counts;
    out += fmt::format(
        "{:46} {:4} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>14.6g} {:>+7.2f} % "
        "{:>+7.2f} %{}\n",
        plan::describe(row.choice), row.fits ? "yes" : "no", counts.slotsUsed, counts.lightSteps,
        counts.remoteWrites, counts.remoteReads, counts.remoteWriteOps, counts.remoteReadOps,
        row.time.total, 100.0 * (row.time.total / base - 1.0),
        100.0 * (row.time.total / row.lowerBound - 1.0), plan.chosen == i ? "  <- auto" : "");
  }
  return out + "\n" + certificates(plan) + "auto: " + plan.reason + "\n";
}

std::string planAsJson(const plan::Plan& plan, const PlanInputs& inputs,
                       const std::optional<plan::StrategyPlan>& run,
                       const std::vector<NetworkSize>& networks) {
  const plan::PlanRequest& request = inputs.request;
  Json costs = costsAsJson(request.costs);
  costs["spikesPerStep"] = request.spikePerStep;
  if (request.hostCache) {
    costs["hostCacheBytes"] = request.hostCache->bytes;
    costs["missPerByte"] = request.hostCache->missPerByte;
  }
  costs["cacheForward"] = request.cacheForward;
  costs["cacheBackward"] = request.cacheBackward;
  costs["spikesLatency"] = request.spikeLatency;
  Json json{{"steps", request.numSteps},
            {"budgetBytes", request.budgetBytes},
            {"limit", request.limit == plan::MemoryModel::Limit::PerTile ? "tile" : "total"},
            {"clockHz", inputs.clockHz},
            {"stateBytes", inputs.memory.stateBytes()},
            {"spikeBytesPerStep", inputs.memory.spikeBytesPerStep()},
            {"costsCycles", costs},
            {"remoteRows", orNull(request.remoteRows)},
            {"remoteCapacityBytes", orNull(request.remoteBytes)},
            {"overlap", request.overlap},
            {"overlapCostsCycles", overlapAsJson(request)},
            {"assumptions", inputs.assumptions}};
  json["gradientCopies"] = copiesAsJson(inputs);
  json["strategies"] = Json::array();
  for (std::size_t i = 0; i < plan.table.size(); ++i) {
    json["strategies"].push_back(rowAsJson(plan.table[i]));
    if (i < networks.size()) {
      json["strategies"].back()["largestNetwork"] = {
          {"hiddenLayers", networks[i].numHidden},
          {"neurons", networks[i].numNeurons},
          {"neuronsPerTile", networks[i].neuronsPerTile}};
    }
  }
  json["chosen"] =
      plan.chosen ? Json(plan::nameOf(plan.table[*plan.chosen].choice.strategy)) : Json(nullptr);
  json["reason"] = plan.reason;
  json["run"] = run ? rowAsJson(*run) : Json(nullptr);
  json["smallestBudgetBytes"] = orNull(plan.smallestBudget);
  json["smallestMemoryBudget"] = request.budgetLeaving && plan.smallestBudget
                                     ? Json(request.budgetLeaving(*plan.smallestBudget))
                                     : json["smallestBudgetBytes"];
  json["smallestRemote"] = needAsJson(plan.smallestRemote);
  json["largestSteps"] = orNull(plan.largestSteps);
  return json.dump(2) + "\n";
}

} // namespace spillway
