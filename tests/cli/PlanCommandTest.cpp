// `spillway plan` against what the other commands do with the same settings.
#include "RunSpillway.hpp"
#include "data/Hdf5File.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

using testing::HasSubstr;

const std::string kConfig = SPILLWAY_SOURCE_DIR "/configs/quickstart.cfg ";

TEST(PlanCommand, RefusesMoreStepsThanItHasMemoryFor) {
  const Result result = spillway("plan --slots 16 --steps 10000001");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("10000001 steps: a plan is made for 1 to 10000000"));
}

TEST(PlanCommand, TakesAChunkLongerThanTheRemoteOneForAllOfIt) {
  const std::string command = "plan --slots 50 --steps 40 --schedule double --remote-chunk 3 ";
  const Result longer = spillway(command + "--chunk 7"), equal = spillway(command + "--chunk 3");
  EXPECT_EQ(longer.code, 0);
  EXPECT_EQ(longer.output, equal.output);
}

TEST(PlanCommand, CountsWhatIsSpilledAgainstTheRemoteCapacity) {
  const std::string plan = "plan " + kConfig + "--set checkpoint.strategy=remote --chunk 5 " +
                           "--set checkpoint.spikeBlock=10 --only remote --json ";
  const nlohmann::json free = nlohmann::json::parse(spillway(plan).output);
  const auto needed = free["strategies"][0]["remoteBytes"];
  EXPECT_GT(needed["states"], 0);
  EXPECT_GT(needed["spikes"], 0);
  const auto with = [&](std::uint64_t bytes) {
    return nlohmann::json::parse(
        spillway(plan + "--remote-capacity " + std::to_string(bytes)).output)["strategies"][0];
  };
  const std::uint64_t bytes = needed["total"];
  EXPECT_TRUE(with(bytes)["fits"]);
  const auto less = with(bytes - 1);
  EXPECT_FALSE(less["fits"]);
  EXPECT_EQ(less["smallestRemote"]["bytes"], bytes);
  const Result run = spillway("train " + kConfig +
                              "--set checkpoint.strategy=remote --set checkpoint.chunk=5 --set "
                              "checkpoint.spikeBlock=10 --set checkpoint.remoteCapacity=" +
                              std::to_string(bytes - 1));
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.output, HasSubstr("would have to hold " + std::to_string(bytes) + " bytes"));
}

TEST(PlanCommand, GivesTheLedgerToPrograms) {
  const Result result = spillway("plan " + kConfig +
                                 "--set machine.device=model --set machine.tiles=64 --set "
                                 "checkpoint.chunk=5 --verify standard --json");
  const auto ledger = nlohmann::json::parse(result.output);
  const auto planned = ledger["planned"], held = ledger["ledger"];
  EXPECT_EQ(planned["largestTileBytes"]["states"], held["largestTileBytes"]["states"]);
  EXPECT_GT(held["meanTileBytes"]["total"], 0.0);
  EXPECT_EQ(planned["remoteBytes"], held["remoteBytes"]);
}

TEST(PlanCommand, KeepsAHistoryThatIsOneBlock) {
  const Result result = spillway("plan " + kConfig + "--set checkpoint.strategy=standard " +
                                 "--set checkpoint.spikeBlock=1000000 --only standard --json");
  EXPECT_EQ(nlohmann::json::parse(result.output)["strategies"][0]["spikeBlock"], 0);
}

TEST(PlanCommand, PrintsNoScheduleOfMoreSlotsThanThereAre) {
  const Result result = spillway("plan --slots 2 --steps 10 --schedule base");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("--slots 2: base needs 10 slots for 10 steps"));
  EXPECT_EQ(spillway("plan --slots 10 --steps 10 --schedule base").code, 0);
  const Result rows = spillway("plan --slots 2 --rows 0 --steps 10 --schedule remote --chunk 2");
  EXPECT_EQ(rows.code, 2);
  EXPECT_THAT(rows.output, HasSubstr("--rows 0: remote needs more rows"));
}

TEST(PlanCommand, CountsWhatTheDeviceCounts) {
  TemporaryFolder folder;
  for (const std::string settings :
       {"--set checkpoint.strategy=double", "--set checkpoint.strategy=revolve",
        "--set checkpoint.strategy=optimal --set checkpoint.numLocal=7",
        "--set checkpoint.strategy=streamed --set checkpoint.overlap=false",
        "--set checkpoint.strategy=standard --set checkpoint.spikeBlock=24",
        "--set checkpoint.strategy=auto --set machine.device=model --set machine.tiles=64",
        "--set checkpoint.strategy=hierarchical --set machine.device=model "
        "--set machine.tiles=64 --set checkpoint.memoryBudget=170KiB"}) {
    const Result plan = spillway("plan " + kConfig + settings + " --json");
    ASSERT_EQ(plan.code, 0) << plan.output;
    const std::string file = (folder.path() / "dump.h5").string();
    const Result checked = spillway("check " + kConfig + settings + " --dump " + file);
    ASSERT_EQ(checked.code, 0) << checked.output;
    const Hdf5Reader dump(file);
    const auto run = nlohmann::json::parse(plan.output)["run"];
    for (const auto& [name, count] : run["counts"].items()) {
      EXPECT_EQ(dump.read<std::int64_t>("counts/" + name).values.at(0), count.get<std::int64_t>())
          << settings << ": " << name;
    }
  }
}

// A value of the key itself, with which the run then goes; little less does not.
TEST(PlanCommand, NamesABudgetOfResidentMemoryThatWorks) {
  TemporaryFolder folder;
  for (const std::string strategy : {"auto", "standard"}) {
    const auto train = [&](std::uint64_t budget) {
      return spillway("train " + kConfig +
                      "--set train.epochs=1 --set checkpoint.strategy=" + strategy +
                      " --set checkpoint.memoryBudget=" + std::to_string(budget) + " --folder " +
                      (folder.path() / (strategy + std::to_string(budget))).string());
    };
    const Result refused = train(1 << 20);
    ASSERT_EQ(refused.code, 2);
    const std::string before = "the smallest budget for 100 steps is ";
    ASSERT_THAT(refused.output, HasSubstr(before));
    const std::uint64_t named =
        std::stoull(refused.output.substr(refused.output.find(before) + before.size()));
    const Result done = train(named);
    EXPECT_EQ(done.code, 0) << done.output;
    EXPECT_EQ(train(named - (3 << 20)).code, 2) << named;
  }
}

} // namespace
} // namespace spillway
