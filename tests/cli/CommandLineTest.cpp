#include "RunSpillway.hpp"
#include "cli/ShellWord.hpp"
#include "cli/ShowPage.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The first words of the indented lines.
std::vector<std::string> commandsIn(const std::string& help) {
  std::vector<std::string> commands;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return commands;
}

TEST(CommandLine, HasEveryCommandInTheReadme) {
  const std::vector<std::string> commands = commandsIn(spillway("--help").output);
  EXPECT_THAT(commands, testing::IsSupersetOf({"train", "eval", "plan", "profile", "check",
                                               "report", "nir", "data", "config"}));
  std::ifstream in(SPILLWAY_SOURCE_DIR "/README.md");
  const std::string readme((std::istreambuf_iterator<char>(in)), {});
  for (const std::string& command : commands) {
    EXPECT_THAT(readme, HasSubstr("| `spillway " + command + " "));
  }
}

TEST(CommandLine, ShowsHelpWithAnExampleForEveryCommand) {
  const Result help = spillway("--help");
  EXPECT_EQ(help.code, 0);
  for (const std::string& command : commandsIn(help.output)) {
    const Result own = spillway(command + " --help");
    EXPECT_EQ(own.code, 0) << command;
    EXPECT_THAT(own.output, AllOf(HasSubstr("usage: spillway " + command), HasSubstr("example:")));
    EXPECT_THAT(own.output, testing::Not(HasSubstr(" arg "))) << "an option's value has no name";
  }
}

TEST(CommandLine, NamesTheNearestCommand) {
  const Result result = spillway("trian");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("did you mean train?"));
}

TEST(CommandLine, ReturnsTwoForMistakes) {
  EXPECT_EQ(spillway("").code, 2);
  EXPECT_EQ(spillway("train").code, 2);
  EXPECT_THAT(spillway("train ''").output, HasSubstr("an argument is missing"));
  EXPECT_EQ(spillway("train --nonsense").code, 2);
  EXPECT_THAT(spillway("config --section trian").output,
              HasSubstr("must be one of network, layer, readout"));
  EXPECT_THAT(spillway("config --section trian").output, HasSubstr("did you mean train?"));
  EXPECT_EQ(spillway("config --set train.epochs=3").code, 2);
  EXPECT_EQ(spillway("nir export").code, 2);
  EXPECT_THAT(spillway("nir import a.nir b --gain step").output,
              HasSubstr("--gain belongs to spillway nir export"));
}

TEST(CommandLine, SaysWhatAnOptionMayBe) {
  EXPECT_THAT(spillway("train --folde x").output, HasSubstr("'--folde'; did you mean --folder?"));
  const std::string config = " " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  EXPECT_THAT(spillway("check" + config + "--tolerance x").output,
              HasSubstr("('x') for option '--tolerance' is invalid: must be a number"));
  const Result nameless = spillway("train" + config + "--folder ''");
  EXPECT_EQ(nameless.code, 2);
  EXPECT_THAT(nameless.output, HasSubstr("--folder is empty"));
}

TEST(CommandLine, ReturnsThreeForFilesThatAreNotThere) {
  const std::string config = SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg";
  for (const std::string& arguments :
       {std::string("train none.cfg"), std::string("data none.cfg"), std::string("eval none"),
        std::string("report none"), "data " + config + " --set data.set=mnist --set data.path=none",
        "data " + config + " --set data.set=shd --set data.path=none",
        "data " + config + " --set data.set=text --set data.path=none",
        "check " + config + " --weights none.h5", "check " + config + " --batch none.h5",
        "eval " + config + " --set train.weights=none.h5",
        std::string("nir import none.nir imported")}) {
    const Result result = spillway(arguments);
    EXPECT_EQ(result.code, 3) << arguments << ": " << result.output;
    EXPECT_THAT(result.output, HasSubstr("none")) << arguments;
  }
}

TEST(CommandLine, ChecksAConfigurationFile) {
  TemporaryFolder folder;
  const auto good = folder.write("good.cfg", "[network]\nlayers = 2x8\n");
  const Result checked = spillway("config " + good.string() + " --set layer1.alpha=0.25");
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.output, HasSubstr("layers = 8,8"));
  EXPECT_THAT(checked.output, HasSubstr("alpha = 0.25"));
  const auto bad = folder.write("bad.cfg", "[network]\nlayers = 8\n[train]\nepochz = 3\n");
  const Result refused = spillway("config " + bad.string());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("bad.cfg:4: unknown key train.epochz; did you mean "
                                        "train.epochs?"));
}

TEST(CommandLine, ChecksAConfigurationAsTrainingWould) {
  TemporaryFolder folder;
  const std::string head = "[network]\nlayers = 8\n[data]\nsamplesPerClass = 4\n";
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"validation = 40\n", "bad.cfg:5: data.validation = 40 leaves none of the 40"},
      {"[train]\nbatchSize = 41\n", "bad.cfg:6: train.batchSize = 41 is more than the 40 training"},
      {"set = poisson\nactivity = 0.7\n", "bad.cfg:6: data.activity = 0.7"},
      {"set = recall\ninputs = 5\n", "bad.cfg:6: data.inputs = 5 is too few"},
      {"[network]\ninputs = 5\n", "bad.cfg:6: network.inputs = 5 does not fit the data set"},
      {"[readout]\nreduction = step\n", "bad.cfg:6: the data set randman has a label per sample"},
      {"[checkpoint]\nmemoryBudget = 1KiB\n", "nothing fits 0 bytes, what the budget leaves"},
      {"[checkpoint]\nmemoryBudget = 1KiB\nstrategy = base\n",
       "bad.cfg:7: this checkpoint.strategy needs"},
      {"[checkpoint]\nstrategy = cached\n", "bad.cfg:6: checkpoint.strategy = cached needs"},
      {"[machine]\ndevice = model\ntiles = 2\n[checkpoint]\nstrategy = optimal\n",
       "bad.cfg:7: 2 layers need a tile each"}};
  for (const auto& [text, expected] : mistakes) {
    const std::string file = folder.write("bad.cfg", head + text).string();
    const Result checked = spillway("config " + file);
    EXPECT_EQ(checked.code, 2) << text;
    EXPECT_THAT(checked.output, HasSubstr(expected));
    const Result trained = spillway("train " + file + " --folder " + folder.path().string() + "/r");
    EXPECT_EQ(trained.code, 2) << text;
    EXPECT_THAT(trained.output, HasSubstr(expected));
  }
  const auto away =
      folder.write("away.cfg", "[network]\nlayers = 8\n[data]\nset = shd\npath = none\n");
  const Result noted = spillway("config " + away.string());
  EXPECT_EQ(noted.code, 0) << noted.output;
  EXPECT_THAT(noted.output, HasSubstr("# note: not checked against the data: none: no such"));
}

TEST(CommandLine, ReturnsThreeWhenItsOutputCannotBeWritten) {
  const std::string config = " " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  for (const std::string& arguments : {std::string("--help"), std::string("config"),
                                       "config" + config, "plan" + config, "data" + config}) {
    const Result result = spillway(arguments + " > /dev/full");
    EXPECT_EQ(result.code, 3) << arguments;
    EXPECT_THAT(result.output, HasSubstr("cannot write to standard output")) << arguments;
  }
}

TEST(CommandLine, LetsAnyStrategyStandInTheQuickstart) {
  std::ifstream in(SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string line = "strategy = double";
  const std::size_t at = text.find(line);
  ASSERT_NE(at, text.npos);
  TemporaryFolder folder;
  for (const std::string strategy :
       {"base", "standard", "remote", "hierarchical", "revolve", "optimal", "streamed", "auto"}) {
    std::string edited = text;
    edited.replace(at, line.size(), "strategy = " + strategy);
    const Result result = spillway("config " + folder.write("edited.cfg", edited).string());
    EXPECT_EQ(result.code, 0) << strategy << ": " << result.output;
  }
}

TEST(CommandLine, DrawsADataSet) {
  const Result result = spillway("data " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg --preview 1");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.output, AllOf(HasSubstr("randman: 128 inputs, 10 outputs"),
                                   HasSubstr("training sample 0, label 0")));
}

TEST(CommandLine, ComparesStrategies) {
  const std::string config = SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg";
  const Result table = spillway("plan " + config + " --set machine.device=model");
  EXPECT_EQ(table.code, 0);
  EXPECT_THAT(table.output,
              AllOf(HasSubstr("\nbase "), HasSubstr("\nrevolve, "), HasSubstr("\nauto: "),
                    HasSubstr("weight gradients on a tile"), HasSubstr("1 (chosen): ")));
  const Result schedule = spillway("plan " + config +
                                   " --set checkpoint.strategy=standard --set checkpoint.chunk=50 "
                                   "--schedule standard");
  EXPECT_EQ(schedule.output, "schedule steps 100 slots 51 rows 0 staging 0\n"
                             "forward 0 50 last from initial to 0\n"
                             "forward 50 100 all from 0 to 1\n"
                             "backward 49 100 at 0\n"
                             "light 0 49 all from initial to 0\n"
                             "backward 0 49 at 0\n");
  EXPECT_EQ(spillway("plan " + config + " --schedule nonsense").code, 2);
}

TEST(CommandLine, PlansInSlotsWithGivenCosts) {
  const Result answer = spillway("plan --steps 4096 --slots 16 --forward 1 --light 0.1 "
                                 "--backward 2 --write 16 --read 16 --synchronous --json");
  ASSERT_EQ(answer.code, 0) << answer.output;
  const nlohmann::json plan = nlohmann::json::parse(answer.output);
  EXPECT_EQ(plan["chosen"], "revolve"); // transfers cost more than they save
  for (const nlohmann::json& row : plan["strategies"]) {
    const bool fits = row["counts"]["slotsUsed"].get<unsigned>() <= 16;
    EXPECT_EQ(row["fits"].get<bool>(), fits) << row["description"];
    if (row["strategy"] == "revolve") {
      EXPECT_EQ(row["counts"]["lightSteps"], 11152);
      EXPECT_NEAR(row["timeCycles"]["total"].get<double>(), 4096 * 3 + 1115.2, 1e-6);
    }
  }
  const Result fixed = spillway("plan --steps 4096 --slots 16 --only double --remote-chunk 64 "
                                "--chunk 8 --literal --json");
  const nlohmann::json row = nlohmann::json::parse(fixed.output)["strategies"][0];
  EXPECT_EQ(row["counts"]["lightSteps"], 8192);
  EXPECT_EQ(row["counts"]["remoteWrites"], 64);
  EXPECT_EQ(spillway("plan --slots 16").code, 2); // how many steps?
  EXPECT_EQ(spillway("plan --slots 16 --steps 10 --write -1").code, 2);
}

TEST(CommandLine, DrawsTheMapOfWinners) {
  const std::string file = testing::TempDir() + "winners.svg";
  EXPECT_EQ(spillway("plan --slots 16 --steps 64 --map " + file).code, 0);
  std::ifstream picture(file);
  const std::string content((std::istreambuf_iterator<char>(picture)), {});
  EXPECT_THAT(content, AllOf(HasSubstr("<svg"), HasSubstr("16 slots"), HasSubstr("</svg>")));
}

TEST(CommandLine, PlansForAMachineOfFewTiles) {
  const std::string config = SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg";
  const Result table =
      spillway("plan " + config + " --set machine.device=model --set machine.tiles=8");
  EXPECT_EQ(table.code, 0);
  EXPECT_THAT(table.output, HasSubstr("streamed: no 2 tiles are left"));
  const Result roomy = spillway("plan " + config +
                                " --set machine.device=model "
                                "--set machine.tiles=8 --set machine.neuronsPerTile=128");
  EXPECT_EQ(roomy.code, 0);
  EXPECT_THAT(roomy.output, HasSubstr("\nstreamed, "));
}

TEST(CommandLine, RefusesAStrategyBeyondTheBudget) {
  const Result result = spillway("check " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg "
                                 "--set checkpoint.memoryBudget=1000");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("checkpoint.memoryBudget = 1000 leaves it"));
}

TEST(CommandLine, RefusesNumbersBelowTheirRange) {
  const std::string config = " " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  EXPECT_EQ(spillway("profile" + config + "--updates -1").code, 2);
  EXPECT_EQ(spillway("data" + config + "--preview -1").code, 2);
  EXPECT_EQ(spillway("check" + config + "--tolerance -1").code, 2);
}

TEST(CommandLine, RefusesWrongNumbersBeforeItWorks) {
  const std::string config = " " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  EXPECT_THAT(spillway("bench" + config + "--repeats -1").output,
              HasSubstr("--repeats -1: must be a whole number from 1"));
  EXPECT_THAT(spillway("prune" + config + "--batches 0").output,
              HasSubstr("--batches 0: must be a whole number from 1"));
  EXPECT_THAT(spillway("prune" + config + "--fraction 0.1,0.2x").output,
              HasSubstr("'0.2x' must be a number above 0 and below 1"));
}

TEST(CommandLine, NamesADumpThatCannotBeWritten) {
  TemporaryFolder folder;
  const Result result = spillway("check " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg --dump " +
                                 (folder.path() / "none" / "out.h5").string());
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.output, HasSubstr("out.h5: No such file or directory"));
}

TEST(CommandLine, TakesNoMissingFolderForABugOfItsOwn) {
  const std::string train = " train " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  TemporaryFolder folder;
  const std::string run = "--folder " + (folder.path() / "run").string();
  const Result temporary = shell("TMPDIR=/none " SPILLWAY_EXECUTABLE + train + run);
  EXPECT_EQ(temporary.code, 3) << temporary.output;
  EXPECT_THAT(temporary.output, HasSubstr("there is no temporary folder: TMPDIR: "));
  const Result remote = spillway(train + run +
                                 " --set checkpoint.strategy=remote --set "
                                 "checkpoint.remoteStore=file --set checkpoint.remotePath=/none");
  EXPECT_EQ(remote.code, 2) << remote.output;
  EXPECT_THAT(remote.output, HasSubstr("checkpoint.remotePath = /none: must be a folder"));
  const std::string plan = " plan " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg --measure";
  const Result homeless =
      shell("env -u HOME -u XDG_CACHE_HOME -u SPILLWAY_COSTS " SPILLWAY_EXECUTABLE + plan);
  EXPECT_EQ(homeless.code, 2) << homeless.output;
  EXPECT_THAT(homeless.output, HasSubstr("set XDG_CACHE_HOME, or HOME"));
  const Result nowhere = shell("SPILLWAY_COSTS=/dev/null/x " SPILLWAY_EXECUTABLE + plan);
  EXPECT_EQ(nowhere.code, 3) << nowhere.output;
  EXPECT_THAT(nowhere.output, HasSubstr("which cannot be written"));
}

TEST(CommandLine, NamesAProfileFolderThatCannotBeWritten) {
  TemporaryFolder folder;
  const auto file = folder.write("file", "");
  const Result result =
      spillway("profile " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg --folder " +
               (file / "profile").string());
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.output, HasSubstr("cannot write into the folder"));
}

TEST(CommandLine, LeavesNothingWhereAFileCannotBeReplaced) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "folder");
  const Result dump = spillway("check " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg --dump " +
                               (folder.path() / "folder").string());
  EXPECT_EQ(dump.code, 3) << dump.output;
  EXPECT_THAT(dump.output, HasSubstr("folder: Is a directory"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "folder.partial"));
}

TEST(CommandLine, RefusesLabelsBeyondTheOutputs) {
  TemporaryFolder folder;
  const std::string file = (folder.path() / "batch.h5").string();
  const std::string config = " " SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";
  ASSERT_EQ(spillway("check" + config + "--no-reference --dump " + file).code, 0);
  const Result result = spillway("bench" + config + "--batch " + file + " --set readout.outputs=2");
  EXPECT_EQ(result.code, 2) << result.output;
  EXPECT_THAT(result.output, HasSubstr("batch/labels has"));
  EXPECT_THAT(result.output, HasSubstr("2 outputs are labelled 0 to 1"));
}

TEST(CommandLine, EscapesWhatAnAddressMayNotHold) {
  EXPECT_EQ(fileAddress("/runs/a-1.b_c~/report.html"), "file:///runs/a-1.b_c~/report.html");
  EXPECT_EQ(fileAddress("/my runs/50%#1?/\u00fc.html"),
            "file:///my%20runs/50%25%231%3F/%C3%BC.html");
}

TEST(CommandLine, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shellWord("runs/a-1.b"), "runs/a-1.b");
  EXPECT_EQ(shellWord("my runs/a"), "'my runs/a'");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(shellWord(""), "''");
}

TEST(CommandLine, StatesWhatItWasBuiltFrom) {
  EXPECT_THAT(spillway("--version").output, testing::MatchesRegex("spillway [0-9.]+ \\(.*Poplar by "
                                                                  "the (model|sdk)\\)\n"));
}

} // namespace
} // namespace spillway
