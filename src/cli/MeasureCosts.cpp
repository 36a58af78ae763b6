#include "cli/MeasureCosts.hpp"

#include "cli/CheckFiles.hpp"
#include "cli/OpenSession.hpp"
#include "network/IoError.hpp"
#include "network/SettingError.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace spillway {
namespace {

using Clock = std::chrono::steady_clock;

// Longer sequences cost the same a step; so few keep the states of all of them in any memory.
constexpr plan::Step kMostSteps = 128;
constexpr unsigned kRuns = 3, kLeastRounds = 5, kMostRounds = 400;
constexpr double kEnoughSeconds = 6.0; // for rounds

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

EventBatch firstSteps(const EventBatch& batch, plan::Step numSteps, const NetworkSpec& network) {
  EventBatch part = batch;
  part.numSteps = numSteps;
  const auto cut = [&](auto& perStep) {
    perStep.resize(perStep.size() / batch.numSteps * numSteps);
  };
  cut(part.counts);
  cut(part.ids);
  cut(part.values);
  const bool losesAtEveryStep = network.readout.kind == ReadoutKind::LeakyIntegrator &&
                                network.readout.reduction == ReadoutReduction::PerStep;
  if (losesAtEveryStep || network.readsWords()) {
    cut(part.labels);
    cut(part.targets);
  }
  return part;
}

// Costs that cannot be kept would be of no use to the plan that follows.
void requireCache(const Settings& settings) {
  const std::filesystem::path folder = costsFile(settings).parent_path();
  if (folder.empty()) {
    throw UserError("--measure keeps its costs for later plans: set XDG_CACHE_HOME, or HOME");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw IoError(fmt::format("--measure keeps its costs in {}, which cannot be written: {}; set "
                              "XDG_CACHE_HOME",
                              folder.string(), error ? error.message() : std::strerror(errno)));
  }
}

// A schedule that is timed again and again.
class Timed {
public:
  Timed(const SessionRequest& request, const CheckCase& task)
      : batch_(firstSteps(task.batch, request.schedule.numSteps, request.network)),
        session_(makeGraphSession(request)) {
    session_->setParameters(task.parameters);
    session_->differentiate(batch_); // touches every page for the first time
  }

  // Runs a few times more. Whatever else the machine does only adds to the time.
  ScheduleSeconds fastestSoFar() {
    for (unsigned i = 0; i < kRuns; ++i) {
      time([&] { session_->differentiate(batch_); }, fastest_.train);
      time([&] { session_->evaluate(batch_); }, fastest_.evaluate);
    }
    return fastest_;
  }

private:
  template <class Run>
  static void time(const Run& run, double& fastest) {
    const Clock::time_point start = Clock::now();
    run();
    fastest = std::min(fastest, secondsSince(start));
  }

  EventBatch batch_;
  std::unique_ptr<TrainingSession> session_;
  ScheduleSeconds fastest_{std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::infinity()};
};

} // namespace

MeasuredCosts measureAndRemember(Config config) {
  Settings& wanted = config.settings;
  if (wanted.machine.device != DeviceKind::Cpu) {
    throw SettingError("machine.device", "--measure times steps on machine.device = cpu; the "
                                         "costs of an IPU are modelled");
  }
  const plan::Step numSteps = std::min<plan::Step>(wanted.data.numSteps, kMostSteps);
  if (numSteps < kLeastMeasuredSteps) {
    throw SettingError("data.steps",
                       fmt::format("--measure needs at least {} steps to tell their costs apart; "
                                   "data.steps = {}",
                                   kLeastMeasuredSteps, wanted.data.numSteps));
  }
  requireCache(wanted);
  Settings asked = wanted; // what the costs are kept for
  wanted.data.numSteps = numSteps;
  wanted.data.batchMemoryBytes = 0;
  wanted.checkpoint.memoryBudgetBytes = 0;
  const CheckCase task = makeCheckCase(config, "", "");
  const SpikeMoves moves = wanted.network.readsWords() ? SpikeMoves::None : SpikeMoves::Allowed;
  // All schedules take turns many times: each then has moments in which nothing disturbs it.
  std::vector<std::unique_ptr<Timed>> made;
  std::size_t next = 0;
  const auto time = [&](const plan::Schedule& schedule) {
    if (next == made.size()) {
      Settings shorter = asked;
      shorter.data.numSteps = schedule.numSteps; // blocks of steps are no longer than that
      shorter.network = task.settings.network;
      made.push_back(std::make_unique<Timed>(sessionRequest(shorter, schedule), task));
    }
    return made[next++]->fastestSoFar();
  };
  MeasuredCosts costs;
  const Clock::time_point start = Clock::now();
  for (unsigned round = 0;
       round < kLeastRounds || (round < kMostRounds && secondsSince(start) < kEnoughSeconds);
       ++round, next = 0) {
    costs = measureCosts(numSteps, moves, time);
  }
  asked.network = task.settings.network;
  rememberCosts(asked, costs);
  return costs;
}

std::string measuredAsText(const MeasuredCosts& costs, const Settings& settings) {
  const auto us = [](double seconds) { return 1e6 * seconds; };
  const plan::Costs& each = costs.seconds;
  return fmt::format(
      "measured here, in us: f {:.4g}, r {:.4g}, b {:.4g} a step; a state to or from "
      "remote memory {:.4g}, the spikes of a step {}; starting an action {:.3g}\n"
      "kept in {}\n",
      us(each.forward), us(each.light), us(each.backward), us(each.writePerState),
      costs.spikesPerStep ? fmt::format("{:.3g}", us(*costs.spikesPerStep)) : "unknown",
      us(each.perAction), costsFile(settings).string());
}

} // namespace spillway
