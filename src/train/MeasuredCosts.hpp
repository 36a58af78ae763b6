// What steps and transfers take on this host, measured: f, r, b and the rest of plan::Costs in
// seconds, for one network, batch and number of threads. A file keeps them, so that later plans
// need no measuring.
#pragma once

#include "config/Settings.hpp"
#include "plan/Costs.hpp"
#include "plan/Schedule.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace spillway {

struct MeasuredCosts {
  plan::Costs seconds;
  // Moving the spikes of a step to or from remote memory, seconds; none where they do not move, or
  // it was too little to be told from noise.
  std::optional<double> spikesPerStep;
};

// Seconds of a training step without its update, and of a forward pass alone.
struct ScheduleSeconds {
  double train = 0.0, evaluate = 0.0;
};
using TimeSchedule = std::function<ScheduleSeconds(const plan::Schedule&)>;

// From the times of a few schedules of at most `numSteps` steps, which differ in one thing each and
// are asked for in the same order every time. A cost that noise makes negative is 0.
// REQUIRES: numSteps >= kLeastMeasuredSteps.
inline constexpr plan::Step kLeastMeasuredSteps = 16;
enum class SpikeMoves { None, Allowed };
MeasuredCosts measureCosts(plan::Step numSteps, SpikeMoves moves, const TimeSchedule& time);

// Where the costs for these settings lie: one file for each processor, build of the codelets,
// network, batch, machine and remote store, in $SPILLWAY_COSTS, else in spillway/ of the user's
// cache folder. Empty where there is no such folder.
std::filesystem::path costsFile(const Settings& settings);

// None where there is no such file, or it is damaged.
std::optional<MeasuredCosts> recallCosts(const Settings& settings);
// Throws IoError.
void rememberCosts(const Settings& settings, const MeasuredCosts& costs);

} // namespace spillway
