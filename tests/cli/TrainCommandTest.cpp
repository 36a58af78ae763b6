#include "TinyCommand.hpp"
#include "TinyRecordings.hpp"
#include "data/Hdf5File.hpp"
#include "support/Browser.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using TrainCommand = TinyCommand;

// How many records of that kind the metrics have.
int records(const fs::path& run, const std::string& kind) {
  std::ifstream file(run / "metrics.jsonl");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    count += line.find("\"kind\":\"" + kind + "\"") != line.npos ? 1 : 0;
  }
  return count;
}

bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::uint64_t mask = 0;
  for (std::string word; status >> word;) {
    if (word == "SigCgt:") {
      status >> std::hex >> mask;
    }
  }
  return (mask >> (signal - 1) & 1) != 0;
}

TEST_F(TrainCommand, EndsWithTheSameWeightsWhenKilledAndResumed) {
  ASSERT_EQ(spillway(trainTo("whole")).code, 0);
  std::mt19937 random(3);
  bool finished = false;
  int kills = 0;
  // The first kill comes before any machine has finished; the limit then grows until the slowest
  // does.
  double limitUs = 10000.0;
  for (; !finished && kills < 60; kills += finished ? 0 : 1, limitUs *= 1.2) {
    const pid_t child = start(trainTo("killed") + " --resume");
    ::usleep(static_cast<useconds_t>(random() % static_cast<unsigned>(limitUs)));
    ::kill(child, SIGKILL);
    finished = waitFor(child) == 0;
  }
  ASSERT_TRUE(finished);
  EXPECT_GT(kills, 0);
  EXPECT_EQ(weights("killed"), weights("whole"));
}

TEST_F(TrainCommand, SavesAndSaysHowToGoOnWhenInterrupted) {
  const pid_t child = start(trainTo("run") + " --set train.epochs=10000");
  while (!fs::exists(folder_.path() / "run" / "snapshots")) {
    ::usleep(20000);
  }
  ::kill(child, SIGINT);
  EXPECT_EQ(waitFor(child), 130);
  const Result evaluated = spillway("eval " + at("run"));
  EXPECT_EQ(evaluated.code, 0) << evaluated.output;
  EXPECT_THAT(evaluated.output, HasSubstr("accuracy"));
  const Result none = spillway("eval " + at("run") + " --split validation");
  EXPECT_EQ(none.code, 2) << none.output;
  EXPECT_THAT(none.output, HasSubstr("--split validation: there are no such samples"));
}

TEST_F(TrainCommand, StopsWithinAnEvaluation) {
  const std::string slow =
      " --set data.samplesPerClass=5000 --set data.steps=1000 --set train.batchSize=1"
      " --set train.maxBatches=2 --set train.epochs=1";
  const pid_t child = start(trainTo("run") + slow);
  while (records(at("run"), "epoch") == 0) {
    ::usleep(1000);
  }
  ::kill(child, SIGTERM);
  EXPECT_EQ(waitFor(child), 130);
  EXPECT_EQ(records(at("run"), "test"), 0);
  const pid_t evaluation = start("eval " + at("run"));
  while (!catches(evaluation, SIGUSR1)) { // unlike SIGINT, which the shell before it does too
    ::usleep(1000);
  }
  ::kill(evaluation, SIGINT);
  EXPECT_EQ(waitFor(evaluation), 130);
}

TEST_F(TrainCommand, SavesWhenNobodyReadsItsOutput) {
  shell(SPILLWAY_EXECUTABLE " " + trainTo("run") + " --set train.epochs=10000 | head -1");
  EXPECT_THAT(shell("tail -n 1 " + at("run/run.log")).output,
              HasSubstr("interrupted after update"));
  EXPECT_EQ(spillway("eval " + at("run")).code, 0);
}

TEST_F(TrainCommand, MakesARunThatCanBeEvaluatedReportedAndNotOverwritten) {
  const Result trained = spillway(trainTo("run"));
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_THAT(trained.output, AllOf(HasSubstr("epoch 6/6"), HasSubstr("finished: 48 updates")));
  for (const char* file :
       {"config.cfg", "record.json", "metrics.csv", "metrics.jsonl", "run.log", "summary.json"}) {
    EXPECT_TRUE(fs::exists(folder_.path() / "run" / file)) << file;
  }
  EXPECT_EQ(spillway("report " + at("run")).code, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "run" / "report.html"));
  const Result again = spillway(trainTo("run"));
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.output, HasSubstr("add --resume"));
  const Result changed = spillway(trainTo("run") + " --resume --set layer.alpha=0.5");
  EXPECT_EQ(changed.code, 2);
  EXPECT_THAT(changed.output, HasSubstr("layer0.alpha: 0.95 in the run, 0.5 now"));
  const std::string continues = "config " + config_ + " --continues " + at("run");
  const Result checked = spillway(continues + " --set layer.alpha=0.5");
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.output, HasSubstr("layer0.alpha: 0.95 in the run, 0.5 now"));
  EXPECT_EQ(spillway(continues + " --set train.epochs=9").code, 0);
}

TEST_F(TrainCommand, RefusesSnapshotsWithoutAConfiguration) {
  ASSERT_EQ(spillway(trainTo("run")).code, 0);
  fs::remove(folder_.path() / "run" / "config.cfg");
  for (const char* how : {"", " --resume"}) {
    const Result again = spillway(trainTo("run") + how + " --set train.seed=7");
    EXPECT_EQ(again.code, 2) << again.output;
    EXPECT_THAT(again.output, HasSubstr("holds snapshots but no config.cfg"));
  }
}

TEST_F(TrainCommand, RemembersWhereAPathOfTheCommandLineLed) {
  ASSERT_EQ(spillway(trainTo("first")).code, 0);
  const std::string within = "cd " + at("first") + " && " SPILLWAY_EXECUTABLE " ";
  const Result trained =
      shell(within + trainTo("run") + " --set train.weights=$(ls snapshots/*.h5 | tail -n 1)");
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_THAT(shell("grep ^weights " + at("run/config.cfg")).output,
              HasSubstr("weights = " + at("first/snapshots/update-")));
}

TEST_F(TrainCommand, RefusesToEndBeforeWhereItStands) {
  ASSERT_EQ(spillway(trainTo("run") + " --set train.epochs=3").code, 0);
  const Result shorter = spillway("train " + at("run") + " --resume --set train.epochs=2");
  EXPECT_EQ(shorter.code, 2);
  EXPECT_THAT(shorter.output,
              AllOf(HasSubstr("--set train.epochs=2: train.epochs = 2, 16 updates, but "),
                    HasSubstr("has already done 24; it must be at least 3")));
  const Result checked = // what a sweep asks before it runs anything
      spillway("config " + config_ + " --set train.epochs=2 --continues " + at("run"));
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.output, HasSubstr("has already done 24; it must be at least 3"));
  const Result again = spillway("train " + at("run") + " --resume"); // still with 3 epochs
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.output, HasSubstr("already finished: all 24 updates are done"));
}

TEST_F(TrainCommand, NamesADamagedSnapshotHoweverQuietItIs) {
  ASSERT_EQ(spillway(trainTo("run") + " --set train.epochs=1").code, 0);
  const std::string newest =
      shell("ls " + at("run/snapshots/") + "* | tail -n 1 | tr -d '\\n'").output;
  shell("truncate -s 600 " + newest);
  const Result resumed = spillway("train " + at("run") + " --resume --quiet");
  EXPECT_EQ(resumed.code, 0);
  EXPECT_THAT(resumed.output,
              HasSubstr(newest + " is damaged: its checksum does not match; using"));
}

TEST_F(TrainCommand, RefusesToGoOnWithOtherData) {
  const std::string recordings = folder_.write("recordings.cfg", kRecordings).string();
  const auto train = [&](const std::string& place, const std::string& options) {
    return shell("cd " + at(place) + " && " SPILLWAY_EXECUTABLE " train " + recordings +
                 " --folder " + at("run") + " " + options);
  };
  writeRecordings(folder_, "a", 7);
  ASSERT_EQ(train("a", "--set train.epochs=1").code, 0);
  writeRecordings(folder_, "moved", 7);
  EXPECT_EQ(train("moved", "--resume --set train.epochs=2").code, 0);
  writeRecordings(folder_, "a", 6);
  const Result other = train("a", "--resume --set train.epochs=3");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.output, AllOf(HasSubstr("was trained on other data:\n  in the run "),
                                  HasSubstr("10 training, 0 validation and 10 test samples, mark "),
                                  HasSubstr("--other-data")));
  const Result asked = shell("cd " + at("a") + " && " SPILLWAY_EXECUTABLE " config " + recordings +
                             " --continues " + at("run"));
  EXPECT_EQ(asked.code, 2);
  EXPECT_EQ(train("a", "--resume --other-data --set train.epochs=3").code, 0);
  EXPECT_EQ(train("moved", "--resume --set train.epochs=4").code, 2); // the run has gone on
}

TEST_F(TrainCommand, SummarisesInTheFieldsThatSweepsKnow) {
  ASSERT_EQ(spillway(trainTo("run") + " --set train.epochs=1 --set data.validation=7").code, 0);
  const std::string summary = shell("cat " + at("run") + "/summary.json").output;
  const std::string sweep = shell("cat " SPILLWAY_SOURCE_DIR "/scripts/sweep_file.py").output;
  std::size_t numFields = 0;
  const nlohmann::json fields = nlohmann::json::parse(summary);
  for (const auto& [field, value] : fields.items()) {
    EXPECT_THAT(sweep, HasSubstr("\"" + field + "\""));
    ++numFields;
  }
  EXPECT_GE(numFields, 16u);
}

TEST_F(TrainCommand, SaysTheLossAloneWhereThereAreNoClasses) {
  const std::string config =
      folder_
          .write("adding.cfg", "[network]\nlayers = 4\n[layer]\nkind = egru\n[readout]\n"
                               "reduction = last\n[loss]\nkind = meanSquared\n[data]\n"
                               "set = adding\nsteps = 6\nsamplesPerClass = 8\n[train]\n"
                               "epochs = 1\nbatchSize = 4\n")
          .string();
  const Result trained = spillway("train " + config + " --folder " + at("run"));
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_THAT(trained.output, AllOf(HasSubstr("test loss"), Not(HasSubstr("accuracy"))));
  const nlohmann::json summary =
      nlohmann::json::parse(shell("cat " + at("run/summary.json")).output);
  for (const char* field : {"trainAccuracy", "testAccuracy", "bestTestAccuracy"}) {
    EXPECT_TRUE(summary.at(field).is_null()) << field;
  }
  const Result evaluated = spillway("eval " + at("run"));
  EXPECT_THAT(evaluated.output, AllOf(HasSubstr("loss"), Not(HasSubstr("accuracy"))));
  const Result json = spillway("eval --json " + at("run"));
  EXPECT_TRUE(nlohmann::json::parse(json.output).at("accuracy").is_null()) << json.output;
  const Result pruned = spillway("prune " + at("run") + " --fraction 0.5");
  EXPECT_EQ(pruned.code, 0) << pruned.output;
  EXPECT_THAT(pruned.output, AllOf(HasSubstr("loss"), Not(HasSubstr("accuracy"))));
}

TEST_F(TrainCommand, LeavesNoFolderForARunThatCannotBegin) {
  EXPECT_EQ(spillway(trainTo("run") + " --set train.batchSize=1000").code, 2);
  EXPECT_EQ(spillway(trainTo("run") + " --set machine.device=ipu").code, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "run"));
}

TEST_F(TrainCommand, NamesATemporaryFolderThatIsFull) {
  const Result result = shell("trap '' XFSZ; ulimit -f 64; " SPILLWAY_EXECUTABLE " " +
                              trainTo("run")); // as if full: files cannot grow past 32 KiB
  EXPECT_EQ(result.code, 3) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("cannot write"), HasSubstr("File too large")));
  EXPECT_FALSE(fs::exists(folder_.path() / "run"));
}

TEST_F(TrainCommand, NamesAFolderThatCannotBeWritten) {
  folder_.write("file", "");
  const Result result = spillway(trainTo("file/run"));
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.output, HasSubstr("cannot make the run folder"));
}

TEST_F(TrainCommand, GivesEveryStrategyTheSameWeights) {
  ASSERT_EQ(spillway(trainTo("base") + " --set checkpoint.strategy=base").code, 0);
  for (const std::string strategy :
       {"standard", "remote", "hierarchical", "double", "revolve", "optimal", "streamed", "auto"}) {
    const Result result = spillway(trainTo(strategy) + " --set checkpoint.strategy=" + strategy);
    ASSERT_EQ(result.code, 0) << strategy << ": " << result.output;
    EXPECT_EQ(weights(strategy), weights("base")) << strategy;
  }
}

TEST_F(TrainCommand, AgreesWithTheReference) {
  const Result result = spillway("check " + config_ + " --dump " + at("dump.h5"));
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("check passed"));
  const Hdf5Reader dump(folder_.path() / "dump.h5");
  EXPECT_THAT(dump.shape("gradients/layer0/weight"), testing::ElementsAre(20, 24));
  EXPECT_THAT(dump.shape("reference/layer0/u"), testing::ElementsAre(30, 7, 24));
  const Result again =
      spillway("check " + config_ + " --weights " + at("dump.h5") + " --batch " + at("dump.h5"));
  EXPECT_EQ(again.code, 0) << again.output;
  // Without weights the data set says how many outputs there are; where it is away, the user does.
  const std::string batch = "check " + config_ + " --batch " + at("dump.h5");
  const Result known = spillway(batch);
  EXPECT_EQ(known.code, 0) << known.output;
  const std::string away = folder_
                               .write("away.cfg", "[network]\nlayers = 24\n[readout]\nreduction = "
                                                  "max\n[data]\nset = shd\npath = none\n")
                               .string();
  const Result unknown = spillway("check " + away + " --batch " + at("dump.h5"));
  EXPECT_EQ(unknown.code, 2) << unknown.output;
  EXPECT_THAT(unknown.output, AllOf(HasSubstr("give --set readout.outputs=N"), HasSubstr("none")));
}

TEST_F(TrainCommand, TakesItsNetworkThroughNirAndBack) {
  ASSERT_EQ(spillway(trainTo("run") + " --set train.epochs=2").code, 0);
  const Result out = spillway("nir export " + at("run") + " " + at("net.nir"));
  ASSERT_EQ(out.code, 0) << out.output;
  const Result in = shell("cd " + at("") +
                          " && mkdir sub && " SPILLWAY_EXECUTABLE " nir import net.nir sub/back");
  ASSERT_EQ(in.code, 0) << in.output;
  EXPECT_EQ(Hdf5Reader(folder_.path() / "sub/back.h5").read<float>("layer0/weight").values,
            weights("run"));
  const Result trained = spillway("eval " + at("run") + " --json");
  // The same data, now with the imported network, from another folder: the same answers.
  folder_.write("eval.cfg",
                "include = sub/back.cfg\n" +
                    std::string(kTinyConfig).substr(std::string(kTinyConfig).find("[data]")));
  const Result imported = spillway("eval " + at("eval.cfg") + " --json");
  EXPECT_EQ(imported.code, 0) << imported.output;
  EXPECT_EQ(imported.output.substr(imported.output.find("\"samples\"")),
            trained.output.substr(trained.output.find("\"samples\"")));
  const Result again = spillway("nir import " + at("net.nir") + " " + at("sub/back"));
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.output, HasSubstr("--force"));
}

TEST_F(TrainCommand, RefusesWeightsThatAreNotFiniteByNameAndIndex) {
  ASSERT_EQ(spillway("check " + config_ + " --dump " + at("good.h5")).code, 0);
  const Hdf5Reader good(folder_.path() / "good.h5");
  Hdf5Writer bad(folder_.path() / "bad.h5");
  for (const char* name : {"layer0/weight", "readout/weight", "readout/bias"}) {
    Hdf5Array<float> array = good.read<float>(name);
    if (name == std::string("readout/weight")) {
      array.values[2 * 3 + 1] = std::numeric_limits<float>::quiet_NaN();
    }
    bad.write<float>(name, array.shape, array.values);
  }
  bad.close();
  for (const std::string& command :
       {"check " + config_ + " --weights " + at("bad.h5"),
        trainTo("run") + " --set train.weights=" + at("bad.h5"),
        "eval " + config_ + " --set train.weights=" + at("bad.h5"),
        "nir export " + config_ + " " + at("x.nir") + " --set train.weights=" + at("bad.h5")}) {
    const Result result = spillway(command);
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_THAT(result.output, HasSubstr("'readout/weight': [2, 1] is nan")) << command;
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "x.nir"));
  EXPECT_FALSE(fs::exists(folder_.path() / "run"));
}

TEST_F(TrainCommand, ShowsItsPageInTheBrowserThatIsGiven) {
  ASSERT_EQ(spillway(trainTo("run")).code, 0);
  const auto browser =
      folder_.write("browser", "#!/bin/sh\necho \"$1\" > " + at("shown.new") + "; mv " +
                                   at("shown.new") + " " + at("shown") + "\n");
  fs::permissions(browser, fs::perms::owner_all);
  const std::string report = SPILLWAY_EXECUTABLE " report " + at("run") + " --open";
  ASSERT_EQ(shell("BROWSER=" + browser.string() + " " + report).code, 0);
  for (int i = 0; i < 500 && !fs::exists(folder_.path() / "shown"); ++i) {
    ::usleep(20000); // it is not waited for
  }
  EXPECT_EQ(shell("cat " + at("shown")).output, "file://" + at("run/report.html") + "\n");
  const Result none = shell("BROWSER=" + at("nowhere") + " " + report);
  EXPECT_EQ(none.code, 0);
  EXPECT_THAT(none.output, HasSubstr("no browser: "));
}

TEST_F(TrainCommand, PrintsIntoNoFileWhereItsOutputIsClosed) {
  const Result result = shell(SPILLWAY_EXECUTABLE " " + trainTo("run") + " >&- 2>&- <&-");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(fs::file_size(folder_.path() / "run" / ".lock"), 0u);
  EXPECT_EQ(shell("grep -rl 'training and' " + at("run")).output, "");
}

TEST_F(TrainCommand, TakesFoldersWhoseNamesAreNoText) {
  const std::string run = at("\xff run");
  ASSERT_EQ(spillway("train " + config_ + " --set train.epochs=1 --folder '" + run + "'").code, 0);
  EXPECT_EQ(spillway("report '" + run + "'").code, 0);
  const Result profile = spillway("profile '" + run + "' --folder '" + run + "'");
  EXPECT_EQ(profile.code, 2) << profile.output;
  EXPECT_THAT(profile.output, HasSubstr("must have a name in UTF-8"));
}

} // namespace
} // namespace spillway
