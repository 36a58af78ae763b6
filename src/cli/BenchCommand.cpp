#include "cli/Arguments.hpp"
#include "cli/CheckFiles.hpp"
#include "cli/Commands.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "network/UserError.hpp"
#include "train/ProcessMemory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>

namespace spillway {
namespace {

namespace po = boost::program_options;
using Clock = std::chrono::steady_clock;

const CommandText kText{
    "bench", "CONFIG [options]",
    "Times training steps (forward, backward, update) of one batch. The learning rate is 0, so "
    "that\n"
    "all steps do the same work. IPUMODEL_TIMES_FILE=FILE adds where the time goes, by compute "
    "set.\n"
    "With --on-request it takes one step for every line it reads and answers in JSON, so that a\n"
    "script can take turns with other programs (scripts/bench does).",
    "spillway bench configs/quickstart.cfg --repeats 20"};

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of all threads.
double processorSeconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

struct Timed {
  double seconds, processorSeconds;
  BatchResult result;
};

Timed timeStep(TrainingSession& session, const EventBatch& batch) {
  const Clock::time_point start = Clock::now();
  const double used = processorSeconds();
  BatchResult result = session.train(batch, 0.0);
  return {secondsSince(start), processorSeconds() - used, std::move(result)};
}

nlohmann::json describeLayers(const CheckCase& task, const BatchResult& result) {
  nlohmann::json layers = nlohmann::json::array();
  for (std::size_t l = 0; l < result.layers.size(); ++l) {
    const double places = static_cast<double>(task.settings.network.layers[l].size) *
                          task.batch.numSamples * task.batch.numSteps;
    const LayerActivity& activity = result.layers[l];
    layers.push_back({{"firingRate", static_cast<double>(activity.numSpikes) / places},
                      {"gradientShare", static_cast<double>(activity.numGradients) / places},
                      {"droppedSpikes", activity.numDropped}});
  }
  return layers;
}

// One line of JSON when ready, one a step, one at the end of the input.
void answerRequests(TrainingSession& session, const CheckCase& task, double startSeconds,
                    std::uint64_t bytesBefore, std::istream& in, std::ostream& out) {
  const auto say = [&](const nlohmann::json& line) { out << line.dump() << std::endl; };
  say({{"startSeconds", startSeconds}, {"bytesBefore", bytesBefore}});
  BatchResult last;
  for (std::string line; std::getline(in, line);) {
    const Timed step = timeStep(session, task.batch);
    say({{"seconds", step.seconds}, {"loss", step.result.loss}});
    last = step.result;
  }
  say({{"peakBytes", peakMemoryBytes()}, {"layers", describeLayers(task, last)}});
}

void repeat(TrainingSession& session, const CheckCase& task, unsigned repeats, double startSeconds,
            std::uint64_t programBytes, std::ostream& out) {
  Timed step = timeStep(session, task.batch); // touches every page for the first time
  std::vector<double> seconds;
  double leastProcessorSeconds = INFINITY;
  for (unsigned i = 0; i < repeats; ++i) {
    step = timeStep(session, task.batch);
    seconds.push_back(step.seconds);
    leastProcessorSeconds = std::min(leastProcessorSeconds, step.processorSeconds);
  }
  std::sort(seconds.begin(), seconds.end());
  out << fmt::format("ready after {:.3g} s; {} steps of {} samples a training step\n", startSeconds,
                     task.batch.numSteps, task.batch.numSamples);
  out << fmt::format("a training step takes {:.4g} ms (median of {}; {:.4g} to {:.4g})\n",
                     1e3 * 0.5 * (seconds[(repeats - 1) / 2] + seconds[repeats / 2]), repeats,
                     1e3 * seconds.front(), 1e3 * seconds.back());
  out << fmt::format("and at least {:.4g} ms of processor time\n", 1e3 * leastProcessorSeconds);
  const nlohmann::json layers = describeLayers(task, step.result);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    out << fmt::format("layer{}: {:.2f} % of neurons fire a step, {:.2f} % receive a gradient\n", l,
                       100.0 * layers[l]["firingRate"].get<double>(),
                       100.0 * layers[l]["gradientShare"].get<double>());
  }
  const auto peakBytes = static_cast<double>(peakMemoryBytes());
  out << fmt::format(
      "peak resident memory {:.1f} MB, {:.1f} MB of it beyond program and libraries\n",
      peakBytes / 1e6, (peakBytes - static_cast<double>(programBytes)) / 1e6);
}

} // namespace

ExitCode benchCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  auto add = arguments.options().add_options();
  add("weights", po::value<std::string>()->value_name("FILE"),
      "parameters in HDF5 [drawn from train.seed]");
  add("batch", po::value<std::string>()->value_name("FILE"),
      "a batch in HDF5 [the first training samples]");
  add("repeats", po::value<std::int64_t>()->default_value(10)->value_name("N"),
      "timed steps, at least 1");
  add("on-request", "a step per line of the standard input, answers in JSON");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const std::string config = required(*given, "config", "bench CONFIG [options]");
  const auto file = [&](const char* name) {
    return given->contains(name) ? (*given)[name].as<std::string>() : std::string();
  };
  const std::uint32_t repeats = wholeNumber(*given, "repeats", 1);
  const std::uint64_t programBytes = residentMemoryBytes();
  std::ostream silent(nullptr);
  const bool onRequest = given->contains("on-request");
  CheckCase task =
      makeCheckCase(loadTarget(config, values(*given, "set"), onRequest ? silent : out),
                    file("weights"), file("batch"));
  forgetPeakMemory(); // that of reading the files
  const std::uint64_t bytesBefore = residentMemoryBytes();
  const Clock::time_point start = Clock::now();
  const bool isWhole = task.settings.train.numMicroBatches() == 1; // then nobody adds gradients up
  const std::unique_ptr<TrainingSession> session =
      openSession(task.settings, task.origins, Tracing::Off,
                  {.sharing = {isWhole ? GradientUse::Unread : GradientUse::Own}})
          .session;
  session->setParameters(task.parameters);
  task.parameters = {}; // as training does: a copy would count as the step's memory
  const double startSeconds = secondsSince(start);
  if (onRequest) {
    answerRequests(*session, task, startSeconds, bytesBefore, std::cin, out);
  } else {
    repeat(*session, task, repeats, startSeconds, programBytes, out);
  }
  return ExitCode::Done;
}

} // namespace spillway
