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

TEST(PlanCommand, RefusesAChunkLongerThanTheRemoteOne) {
  const Result result = spillway("plan " + kConfig + "--chunk 7 --remote-chunk 3");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.output, HasSubstr("--chunk 7: must be at most the remote chunk, 3"));
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
