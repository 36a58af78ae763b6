#include "cli/Arguments.hpp"
#include "cli/CheckFiles.hpp"
#include "cli/Commands.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "cli/ShowPage.hpp"
#include "data/BatchBuilder.hpp"
#include "device/AcquireDevice.hpp"
#include "network/UserError.hpp"
#include "report/ProfileReport.hpp"
#include "report/ProfileTables.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"
#include "train/LockedFile.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace spillway {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const CommandText kText{
    "profile", "CONFIG [options]",
    "Runs training steps with the machine's account switched on and writes what people look at:\n"
    "profile.html (memory per tile, liveness, cycles, trace; works without a network), trace.json\n"
    "(for Perfetto), profile.json, profile.sqlite, tiles.csv, programs.csv and summary.txt. With\n"
    "Graphcore's SDK the same options make it write its own report for PopVision.",
    "spillway profile configs/quickstart.cfg --set machine.device=model"};

// Of a configuration's file or a run's folder, also where that ends in a slash.
fs::path nameOf(const fs::path& config) {
  const fs::path full = fs::absolute(config).lexically_normal();
  return (full.has_filename() ? full : full.parent_path()).stem();
}

void makeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) {
    throw IoError("cannot write into the folder " + folder.string() + ": " +
                  (error ? error.message() : std::strerror(errno)));
  }
}

// Of an earlier profile: they would be taken for this one's where this one fails.
void removeReports(const fs::path& folder) {
  for (const char* name : {"profile.json", "trace.json", "profile.sqlite", "summary.txt",
                           "profile.html", "tiles.csv", "programs.csv"}) {
    std::error_code error;
    if (!fs::remove(folder / name, error) && error) {
      throw IoError("cannot replace " + (folder / name).string() + ": " + error.message());
    }
  }
}

// Poplar reads its engine options from the environment as well; both providers do.
void askForReports(const fs::path& folder) {
  const nlohmann::json options{{"autoReport.all", "true"},
                               {"autoReport.directory", folder.string()}};
  try {
    ::setenv("POPLAR_ENGINE_OPTIONS", options.dump().c_str(), 1);
  } catch (const nlohmann::json::type_error&) {
    throw UserError("--folder " + folder.string() +
                    ": must have a name in UTF-8, which the engine's options are written in");
  }
}

// A training step; of replicas, the same micro-batch on each of them, and their sum.
void step(TrainingSession& session, const CheckCase& task) {
  const std::uint32_t numReplicas = session.numReplicas();
  if (numReplicas == 1) {
    session.train(task.batch, task.settings.learningRate.peak);
    return;
  }
  session.differentiateShares(TrainingSession::Batches(numReplicas, &task.batch),
                              numReplicas *
                                  numLabels(task.batch, task.settings.network.readout.numOutputs));
  session.sumGradients();
  session.update(task.settings.learningRate.peak);
}

// Leaves the machine's own report in the folder: the engine writes it when it ends.
void runUpdates(const CheckCase& task, std::uint32_t numUpdates, std::ostream& out) {
  Replication replication;
  if (task.settings.machine.numReplicas > 1) {
    replication.numReplicas = task.settings.machine.numReplicas;
    replication.sharing = {GradientUse::OnDevice, replication.numReplicas};
  }
  const std::unique_ptr<TrainingSession> session =
      openSession(task.settings, task.origins, Tracing::Off, replication).session;
  session->setParameters(task.parameters);
  for (std::uint32_t i = 0; i < numUpdates; ++i) {
    step(*session, task);
  }
  out << "on " << session->deviceName() << "\n";
}

// Makes page and tables of the report. Returns the page; empty where the report is of another kind.
fs::path writePage(const fs::path& folder, const std::string& title) {
  const fs::path report = folder / "profile.json", page = folder / "profile.html";
  if (!isThere(report)) {
    if (reportsAsJson()) {
      throw IoError("the profile could not be written into " + folder.string());
    }
    return "";
  }
  const std::string json = readWhole(report);
  writeDurably(page, profilePage(title, json));
  writeDurably(folder / "tiles.csv", profileTilesCsv(json));
  writeDurably(folder / "programs.csv", profileProgramsCsv(json));
  return page;
}

} // namespace

ExitCode profileCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("folder", po::value<std::string>()->value_name("FOLDER"),
                                    "where the report goes [profiles/<name of CONFIG>]")(
      "weights", po::value<std::string>()->default_value("")->value_name("FILE"),
      "parameters in HDF5, a snapshot for instance [those training begins with]")(
      "updates", po::value<std::int64_t>()->default_value(1)->value_name("N"),
      "training steps to run")("open", "show the page in a browser: $BROWSER, or xdg-open");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const std::uint32_t numUpdates = wholeNumber(*given, "updates", 1);
  const fs::path config = required(*given, "config", "profile CONFIG [options]");
  const fs::path folder = given->contains("folder") ? fs::path((*given)["folder"].as<std::string>())
                                                    : fs::path("profiles") / nameOf(config);
  Config loaded = loadTarget(config, values(*given, "set"), out);
  loaded.settings.machine.account = true;
  const CheckCase task =
      makeCheckCase(std::move(loaded), (*given)["weights"].as<std::string>(), "");
  makeFolder(folder);
  const LockedFile lock(folder / "profile.lock", [&] {
    out << "waiting for another profile into " << folder.string() << std::endl;
  });
  removeReports(folder);
  askForReports(folder);
  runUpdates(task, numUpdates, out);
  const fs::path page = writePage(folder, "Profile of " + config.string());
  if (!page.empty()) {
    out << page.string() << "\n";
    if (given->contains("open")) {
      showPage(page, out);
    }
  }
  out << "report folder: " << folder.string() << "\n";
  return ExitCode::Done;
}

} // namespace spillway
