#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/OnRanks.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "cli/Revision.hpp"
#include "cli/SameRun.hpp"
#include "cli/ShellWord.hpp"
#include "train/Fingerprint.hpp"
#include "train/Interrupt.hpp"
#include "train/IoError.hpp"
#include "train/StartingParameters.hpp"
#include "train/Trainer.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace spillway {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const CommandText kText{
    "train", "CONFIG|RUN [options]",
    "Trains the network of a configuration. A run is a folder with the resolved configuration,\n"
    "metrics, snapshots, log and summary; Ctrl-C finishes the update, saves and says how to go on.",
    "spillway train configs/quickstart.cfg --set train.epochs=3 --set learningRate.peak=2e-3\n"
    "  spillway train runs/quickstart --resume"};

struct Target {
  fs::path folder;
  Config config; // network complete
  std::unique_ptr<DataSet> data;
  std::string dataText; // describeData() of it, on rank 0
};

fs::path chooseFolder(const po::variables_map& given, const fs::path& path, bool resume) {
  if (given.contains("folder")) {
    const std::string name = given["folder"].as<std::string>();
    if (name.empty()) {
      throw UserError("--folder is empty: it must be the name of a folder");
    }
    return name;
  }
  if (fs::is_directory(path)) {
    return path;
  }
  const fs::path base = fs::path("runs") / path.stem();
  if (resume) {
    const fs::path latest = RunFolder::latest(base);
    return latest.empty() ? base : latest;
  }
  return RunFolder::fresh(base);
}

// Rank 0 chooses the folder.
Target chooseTarget(const po::variables_map& given, const Ranks& ranks, std::ostream& out) {
  const fs::path path = required(given, "target", "train CONFIG|RUN [options]");
  const bool resume = given.contains("resume");
  Target target;
  target.config = loadTarget(path, values(given, "set"), out);
  target.data = openTrainingData(target.config);
  const Settings& settings = target.config.settings;
  withPlaces(target.config.origins, [&] { requireWorkForAll(settings, ranks.size()); });
  if (!ranks.isFirst()) {
    return target;
  }
  target.dataText = describeData(*target.data);
  target.folder = chooseFolder(given, path, resume);
  const fs::path before = target.folder / "config.cfg";
  if (!isThere(before)) {
    if (isThere(target.folder / "snapshots")) {
      throw UserError(fmt::format("{} holds snapshots but no config.cfg, so that nobody can tell "
                                  "what they are of: choose another folder with --folder",
                                  target.folder.string()));
    }
    if (!settings.train.weights.empty()) {
      startingParameters(settings); // refused before there is a folder
    }
    return target;
  }
  if (!resume) {
    throw UserError(fmt::format("{} already holds a run: add --resume to continue it, or choose "
                                "another with --folder",
                                target.folder.string()));
  }
  requireContinues(target.config, *target.data, target.folder);
  if (!given.contains("other-data")) {
    requireSameData(target.dataText, target.folder);
  }
  return target;
}

// A launcher may give rank 0 a terminal and write what comes of it into a file.
ProgressStyle progressStyle(const Ranks& ranks) {
  if (ranks.size() > 1) {
    return ranks.isFirst() ? ProgressStyle::Plain : ProgressStyle::Silent;
  }
  return Progress::styleFor(STDOUT_FILENO);
}

void printEnd(const TrainOutcome& outcome, const Target& target, std::ostream& out) {
  if (outcome.end == TrainEnd::Interrupted) {
    out << fmt::format("interrupted after update {}; saved. Continue with\n  spillway train {} "
                       "--resume\n",
                       outcome.update, shellWord(target.folder.string()))
        << std::flush; // while the signals of closed pipes are still caught
    return;
  }
  out << fmt::format("finished: {} updates in {}", outcome.update, formatDuration(outcome.seconds));
  const RunningMean test = outcome.lastTest.value_or(RunningMean{});
  if (test.hasClasses()) {
    out << fmt::format(", test accuracy {:.2f} % (best {:.2f} %)", 100.0 * test.accuracy(),
                       100.0 * outcome.bestTestAccuracy);
  } else if (test.numSamples > 0) {
    out << fmt::format(", test loss {:.5f}", test.loss());
  }
  out << fmt::format("\nrun folder: {}\n", target.folder.string()) << std::flush;
}

// The resolved configuration keeps what the user wrote; this is what the rank runs with.
Settings placedOn(Ranks& ranks, const Target& target) {
  Settings placed = target.config.settings;
  const std::string folder = ranks.broadcast(target.folder.string());
  if (placed.checkpoint.remotePath.empty() && fs::is_directory(folder)) {
    placed.checkpoint.remotePath = folder;
  }
  shareCores(ranks, placed.machine);
  return placed;
}

void tellRanks(const std::vector<std::string>& hosts, const RunFolder* folder, Progress& progress) {
  if (hosts.size() > 1) {
    std::string line = fmt::format("{} ranks:", hosts.size());
    for (std::size_t r = 0; r < hosts.size(); ++r) {
      line += fmt::format("{} {} on {}", r == 0 ? "" : ",", r, hosts[r]);
    }
    progress.line(line);
    if (folder != nullptr) {
      folder->log(line);
    }
  }
}

ExitCode train(const po::variables_map& given, Ranks& ranks, std::ostream& out) {
  Target target;
  std::optional<RunFolder> folder;
  prepareOnRanks(ranks, [&] {
    target = chooseTarget(given, ranks, out);
    if (ranks.isFirst()) {
      folder.emplace(target.folder);
    }
  });
  requireSameOnRanks(ranks, target.config.settings, *target.data);
  const Settings placed = placedOn(ranks, target);
  const OpenedSession opened =
      openSession(placed, target.config.origins, Tracing::Off, replicationOf(placed, ranks));
  TrainingSession* session = opened.session.get();
  const std::vector<std::string> hosts = hostsOf(ranks);
  if (folder) {
    folder->writeConfig(target.config.settings);
    folder->writeRecord({revision(), provider(), session->deviceName(),
                         target.config.settings.train.seed, hosts, target.dataText});
    folder->log(
        fmt::format("revision {}, {} on {}", revision(), provider(), session->deviceName()));
    folder->log("data: " + target.dataText);
  }

  Progress progress(out, given.contains("quiet") ? ProgressStyle::Silent : progressStyle(ranks),
                    [] { return Progress::columnsOf(STDOUT_FILENO); });
  const std::uint32_t heldOut = target.data->numSamples(Split::Validation);
  progress.line(fmt::format("{}: {} training{} and {} test samples, {} steps, on {}",
                            target.data->info().name, target.data->numSamples(Split::Train),
                            heldOut == 0 ? "" : fmt::format(", {} validation", heldOut),
                            target.data->numSamples(Split::Test), target.data->info().numSteps,
                            session->deviceName()));
  tellRanks(hosts, folder ? &*folder : nullptr, progress);
  if (!opened.scheduleReason.empty()) {
    progress.line("checkpointing: " + opened.scheduleReason);
    if (folder) {
      folder->log("checkpointing: " + opened.scheduleReason);
    }
  }
  const Interrupt interrupt;
  Trainer trainer(target.config.settings, *session, *target.data, ranks,
                  folder ? &*folder : nullptr, progress, Interrupt::requested);
  const TrainOutcome outcome = trainer.run();
  progress.finish();
  printEnd(outcome, target, out);
  return outcome.end == TrainEnd::Finished ? ExitCode::Done : ExitCode::Interrupted;
}

} // namespace

ExitCode trainCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()(
      "folder", po::value<std::string>()->value_name("RUN"),
      "where the run goes [runs/<name of CONFIG>, numbered if it exists]")(
      "resume", "continue from the newest intact snapshot, or start if there is none")(
      "other-data", "resume a run although its data is no longer what it was trained on")(
      "quiet", "print nothing but the end, and what is damaged");
  arguments.addSet();
  arguments.positional("target", 1);
  return onRanks(arguments, words, out, train);
}

} // namespace spillway
