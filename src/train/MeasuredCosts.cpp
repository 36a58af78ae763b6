#include "train/MeasuredCosts.hpp"

#include "config/Config.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Simulator.hpp"
#include "plan/SpikeSpill.hpp"
#include "train/Codelets.hpp"
#include "train/DurableFile.hpp"
#include "train/Fingerprint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  const char* name;
  double plan::Costs::*cost;
};
constexpr Field kFields[] = {
    {"forward", &plan::Costs::forward},           {"light", &plan::Costs::light},
    {"backward", &plan::Costs::backward},         {"writePerState", &plan::Costs::writePerState},
    {"readPerState", &plan::Costs::readPerState}, {"perAction", &plan::Costs::perAction}};

std::string contentsOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(text).str();
}

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 1);
    }
  }
  return "unknown";
}

// What a step's time depends on, of the settings: not the data, the optimiser or the schedule.
std::string whatCounts(const Settings& settings) {
  std::istringstream all(formatConfig(settings));
  std::string text, section;
  for (std::string line; std::getline(all, line);) {
    if (line.starts_with("[")) {
      section = line;
    }
    const bool counts = section.starts_with("[network") || section.starts_with("[layer") ||
                        section.starts_with("[readout") || section.starts_with("[machine") ||
                        line.starts_with("remoteStore") || line.starts_with("remotePath") ||
                        line.starts_with("overlap");
    text += counts ? line + "\n" : "";
  }
  return text + fmt::format("inputs {} outputs {} at once {}\n", settings.network.numInputs,
                            settings.network.readout.numOutputs, settings.train.numAtOnce());
}

// Block by block: codelets have megabytes, and what is resident is what a budget counts.
void addFile(Fingerprint& mark, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 1 << 16> block;
  do {
    in.read(block.data(), block.size());
    mark.add(std::as_bytes(std::span(block)).first(static_cast<std::size_t>(in.gcount())));
  } while (in);
}

std::filesystem::path cacheFolder() {
  if (const char* given = std::getenv("SPILLWAY_COSTS"); given != nullptr && *given != '\0') {
    return given;
  }
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return std::filesystem::path(cache) / "spillway";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::filesystem::path(home) / ".cache" / "spillway"
                                          : std::filesystem::path();
}

// Base, but in ranges of `length` steps.
plan::Schedule inRanges(plan::Step numSteps, plan::Step length) {
  plan::Schedule schedule = plan::base(numSteps);
  schedule.actions.clear();
  const auto slotAfter = [](plan::Step step) { return static_cast<plan::Slot>(step); };
  for (plan::Step begin = 0; begin < numSteps; begin += length) {
    plan::Action forward;
    forward.begin = begin;
    forward.end = std::min(numSteps, begin + length);
    forward.keep = plan::Keep::All;
    forward.source = slotAfter(begin) - 1;
    forward.slot = slotAfter(begin);
    schedule.actions.push_back(forward);
  }
  for (std::size_t i = schedule.actions.size(); i-- > 0;) {
    plan::Action backward = schedule.actions[i];
    backward.kind = plan::ActionKind::Backward;
    schedule.actions.push_back(backward);
  }
  return schedule;
}

} // namespace

// Each difference of two schedules is the cost of what one of them has more of.
MeasuredCosts measureCosts(plan::Step numSteps, SpikeMoves moves, const TimeSchedule& time) {
  const plan::Step T = numSteps, half = T / 2;
  const double longer = T - half;
  const ScheduleSeconds base = time(plan::base(T)), shorter = time(plan::base(half));
  MeasuredCosts costs;
  plan::Costs& each = costs.seconds;
  each.forward = (base.evaluate - shorter.evaluate) / longer;
  each.backward = (base.train - shorter.train) / longer - each.forward;

  const auto actionsOver = [](const plan::Schedule& a, const plan::Schedule& b) {
    return static_cast<double>(a.actions.size()) - static_cast<double>(b.actions.size());
  };
  const plan::Schedule whole = plan::base(T), ranges = inRanges(T, kLeastMeasuredSteps / 2);
  const double inRangesSeconds = time(ranges).train;
  each.perAction = (inRangesSeconds - base.train) / actionsOver(ranges, whole);

  const plan::Schedule rerun = plan::standard(T, half, plan::Form::Literal); // most light steps
  each.light = (time(rerun).train - base.train - each.perAction * actionsOver(rerun, whole)) /
               static_cast<double>(plan::simulate(rerun).lightSteps);

  const plan::Schedule stored = plan::standard(T, 1), remote = plan::remote(T, 1);
  const plan::ScheduleCounts counts = plan::simulate(remote);
  each.writePerState = each.readPerState =
      (time(remote).train - time(stored).train - each.perAction * actionsOver(remote, stored)) /
      static_cast<double>(counts.remoteWrites + counts.remoteReads);

  if (moves == SpikeMoves::Allowed) {
    const plan::Step block = kLeastMeasuredSteps / 2;
    const plan::Schedule spilled = plan::withSpilledSpikes(plan::base(T), block, 1);
    const plan::ScheduleCounts moved = plan::simulate(spilled);
    const double spikes =
        (time(spilled).train - inRangesSeconds - each.perAction * actionsOver(spilled, ranges)) /
        (static_cast<double>(moved.spikeWrites + moved.spikeReads) * (block + 1.0));
    costs.spikesPerStep = spikes > 0.0 ? std::optional(spikes) : std::nullopt;
  }
  for (const Field& field : kFields) {
    each.*field.cost = std::max(0.0, each.*field.cost);
  }
  each.actionPage = each.perAction;
  return costs;
}

std::filesystem::path costsFile(const Settings& settings) {
  const std::filesystem::path folder = cacheFolder();
  if (folder.empty()) {
    return {};
  }
  const std::string named = processorName() + whatCounts(settings);
  Fingerprint mark;
  mark.add(std::as_bytes(std::span(named)));
  addFile(mark, codeletsPath("spillway_codelets_cpu"));
  return folder / fmt::format("costs-{}.json", mark.text());
}

std::optional<MeasuredCosts> recallCosts(const Settings& settings) {
  const std::filesystem::path file = costsFile(settings);
  if (file.empty()) {
    return std::nullopt;
  }
  const Json json = Json::parse(contentsOf(file), nullptr, false);
  MeasuredCosts costs;
  try {
    for (const Field& field : kFields) {
      costs.seconds.*field.cost = json.at(field.name).get<double>();
    }
    if (const Json& spikes = json.at("spikesPerStep"); !spikes.is_null()) {
      costs.spikesPerStep = spikes.get<double>();
    }
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  costs.seconds.actionPage = costs.seconds.perAction;
  const bool sane = costs.seconds.forward > 0.0 && costs.seconds.backward > 0.0;
  return sane ? std::optional(costs) : std::nullopt;
}

void rememberCosts(const Settings& settings, const MeasuredCosts& costs) {
  const std::filesystem::path file = costsFile(settings);
  if (file.empty()) {
    return;
  }
  std::error_code ignored; // writing says what is wrong
  std::filesystem::create_directories(file.parent_path(), ignored);
  Json json{{"processor", processorName()}, {"unit", "seconds"}};
  for (const Field& field : kFields) {
    json[field.name] = costs.seconds.*field.cost;
  }
  json["spikesPerStep"] = costs.spikesPerStep ? Json(*costs.spikesPerStep) : Json();
  json["settings"] = whatCounts(settings);
  writeDurably(file, json.dump(2) + "\n");
}

} // namespace spillway
