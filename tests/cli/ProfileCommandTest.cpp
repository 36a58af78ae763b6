#include "TinyCommand.hpp"
#include "support/Browser.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using ProfileCommand = TinyCommand;

TEST_F(ProfileCommand, TakesNoOldProfileForOneThatFailed) {
  const std::string profile =
      "profile " + config_ + " --folder " + at("profile") + " --set machine.device=model";
  ASSERT_EQ(spillway(profile).code, 0);
  fs::create_directory(folder_.path() / "profile" / "profile.json.partial"); // not to be written
  const Result failed = spillway(profile);
  EXPECT_EQ(failed.code, 3) << failed.output;
  EXPECT_THAT(failed.output, HasSubstr("the profile could not be written into"));
  EXPECT_FALSE(fs::exists(folder_.path() / "profile" / "profile.html"));
}

TEST_F(ProfileCommand, ProfilesIntoOneFolderOneAfterTheOther) {
  const std::string profile =
      "profile " + config_ + " --folder " + at("profile") + " --set machine.device=model";
  const pid_t first = start(profile), second = start(profile);
  EXPECT_EQ(waitFor(first), 0);
  EXPECT_EQ(waitFor(second), 0);
  EXPECT_EQ(shell("ls " + at("profile")).output,
            "profile.html\nprofile.json\nprofile.sqlite\nprograms.csv\nsummary.txt\ntiles.csv\n"
            "trace.json\n");
}

TEST_F(ProfileCommand, NamesAProfileByTheRunWithOrWithoutASlash) {
  ASSERT_EQ(spillway(trainTo("run") + " --set train.epochs=1").code, 0);
  const Result result =
      shell("cd " + folder_.path().string() +
            " && " SPILLWAY_EXECUTABLE " profile run/ --set machine.device=model");
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("report folder: profiles/run\n"));
}

TEST_F(ProfileCommand, TellsFiguresOfOneReplicaFromThoseOfAll) {
  const std::string profile = "profile " + config_ + " --folder " + at("profile") +
                              " --set machine.device=model --set machine.tiles=8 --set ";
  ASSERT_EQ(spillway(profile + "train.microBatch=1").code, 0);
  const std::string one = shell("cat " + at("profile/summary.txt")).output;
  EXPECT_THAT(one, Not(HasSubstr("replica ")));
  const Result result = spillway(profile + "train.microBatch=1 --set machine.replicas=3");
  ASSERT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(shell("cat " + at("profile/summary.txt")).output,
              AllOf(testing::ContainsRegex("Total tiles: +24  of all replicas"),
                    HasSubstr(", and of one replica.")));
}

TEST_F(ProfileCommand, ProfilesAStep) {
  const Result result =
      spillway("profile " + config_ + " --folder " + at("profile") + " --set machine.device=model");
  ASSERT_EQ(result.code, 0) << result.output;
  EXPECT_TRUE(fs::exists(folder_.path() / "profile" / "profile.html"));
  for (const char* file :
       {"trace.json", "profile.json", "tiles.csv", "programs.csv", "summary.txt"}) {
    EXPECT_TRUE(fs::exists(folder_.path() / "profile" / file)) << file;
  }
  if (browserIsInstalled()) {
    const std::string page =
        openInBrowser(folder_.path() / "profile" / "profile.html", folder_.path() / "browser");
    EXPECT_THAT(page, AllOf(HasSubstr("Memory per tile"), HasSubstr("Where the cycles go"),
                            HasSubstr("Costliest compute sets"), HasSubstr("<canvas")));
    const std::string balance =
        shell("grep 'Tile balance' " + at("profile/summary.txt") + " | grep -o '[0-9.]*%'").output;
    ASSERT_GE(balance.size(), 4u); // "1.2%"
    EXPECT_THAT(page, HasSubstr(balance.substr(0, balance.find('%')) + " % of the tiles' cycles"));
    EXPECT_THAT(page, testing::Not(HasSubstr("CONSOLE")));
  }
}

} // namespace
} // namespace spillway
