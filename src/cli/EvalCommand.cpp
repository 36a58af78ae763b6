#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/OnRanks.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "cli/SparsityText.hpp"
#include "cli/TrainedParameters.hpp"
#include "network/UserError.hpp"
#include "train/AccuracyText.hpp"
#include "train/Interrupt.hpp"
#include "train/SharedBatches.hpp"
#include "train/SharedPosition.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace spillway {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const CommandText kText{
    "eval", "RUN|CONFIG [options]",
    "Evaluates a snapshot of a run: the newest intact one, or the one given. "
    "Of a\nconfiguration: the parameters training would begin with (train.weights).",
    "spillway eval runs/quickstart --split train"};

Split chooseSplit(const std::string& name) {
  if (name == "test") {
    return Split::Test;
  }
  if (name == "train") {
    return Split::Train;
  }
  if (name == "validation") {
    return Split::Validation;
  }
  throw UserError("--split " + name + ": must be test, train or validation");
}

ExitCode evaluateRun(const po::variables_map& given, Ranks& ranks, std::ostream& out) {
  Split split = Split::Test;
  std::ostream quiet(nullptr);
  std::ostream& remarks = given.contains("json") ? quiet : out;
  Config config;
  Settings& settings = config.settings;
  std::unique_ptr<DataSet> data;
  TrainedParameters trained;
  prepareOnRanks(ranks, [&] {
    const fs::path run = required(given, "run", "eval RUN|CONFIG [options]");
    split = chooseSplit(given["split"].as<std::string>());
    config = loadTarget(run, values(given, "set"), remarks);
    data = openData(config);
    if (data->numSamples(split) == 0) {
      throw UserError("--split " + given["split"].as<std::string>() +
                      ": there are no such samples (data.validation holds some out)");
    }
    if (ranks.isFirst()) {
      const std::string file =
          given.contains("snapshot") ? given["snapshot"].as<std::string>() : "";
      trained = trainedParameters(run, file, settings, remarks);
    }
  });
  requireSameOnRanks(ranks, settings, *data);
  shareCores(ranks, settings.machine);
  shareParameters(ranks, settings.network, trained.parameters);
  const std::unique_ptr<TrainingSession> session =
      openSession(settings, config.origins, Tracing::Off,
                  {.numReplicas = settings.machine.numReplicas, .sharing = {}})
          .session;
  session->setParameters(trained.parameters);
  const std::optional<RunningMean> evaluated = [&] {
    const Interrupt interrupt;
    return SharedBatches(settings, *session, *data, ranks).evaluate(split, Interrupt::requested);
  }();
  if (!evaluated) {
    remarks << "interrupted; nothing was written, and the same command begins anew\n";
    return ExitCode::Interrupted;
  }
  const RunningMean& mean = *evaluated;
  if (given.contains("json")) {
    nlohmann::ordered_json json{{"update", trained.update},   {"samples", mean.numSamples},
                                {"loss", mean.loss()},        {"accuracy", nullptr},
                                {"correct", mean.numCorrect}, {"labels", mean.numLabels}};
    if (mean.hasClasses()) {
      json["accuracy"] = mean.accuracy();
    }
    if (settings.network.readsWords()) {
      json["perplexity"] = std::exp(mean.loss());
    }
    out << json.dump() << "\n";
  } else {
    const std::string counts =
        mean.hasClasses() ? fmt::format(" ({} of {})", mean.numCorrect, mean.numLabels) : "";
    out << fmt::format("after update {}: loss {:.5f}{}{} on {} samples\n", trained.update,
                       mean.loss(), accuracyText(mean, ", "), counts, mean.numSamples);
    if (settings.network.readsWords()) {
      out << fmt::format("perplexity {:.2f}\n", std::exp(mean.loss()));
    }
    if (settings.network.isGated()) {
      out << sparsityText(settings, mean);
    }
  }
  return ExitCode::Done;
}

} // namespace

ExitCode evalCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("snapshot", po::value<std::string>()->value_name("FILE"),
                                    "a snapshot file [the newest of RUN]")(
      "split", po::value<std::string>()->default_value("test")->value_name("SPLIT"),
      "test, train or validation")("json", "print one JSON object");
  arguments.addSet();
  arguments.positional("run", 1);
  return onRanks(arguments, words, out, evaluateRun);
}

} // namespace spillway
