#include "report/RunReport.hpp"

#include "../train/TrainFixture.hpp"
#include "support/Browser.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunReport : public testing::Test {
protected:
  RunReport() {
    for (const char* name : {"first", "second"}) {
      TinyRun run;
      run.settings.train.seed = name[0];
      FakeSession session(run.settings.network);
      run.train(folder_.path() / name, session);
      const RunFolder record(folder_.path() / name);
      record.writeConfig(run.settings);
      record.writeRecord({"abc", "model", session.deviceName(), run.settings.train.seed, {}, ""});
    }
  }
  std::vector<fs::path> both() const {
    return {folder_.path() / "first", folder_.path() / "second"};
  }

  TemporaryFolder folder_;
};

TEST_F(RunReport, CarriesWhatTheRunsRecorded) {
  const auto json = nlohmann::json::parse(runsAsJson(both()));
  ASSERT_EQ(json["runs"].size(), 2u);
  const auto& run = json["runs"][1];
  EXPECT_EQ(run["name"], "second");
  EXPECT_EQ(run["lastUpdate"], 20);
  EXPECT_EQ(run["epochs"], 5);
  EXPECT_EQ(run["state"], "finished");
  EXPECT_EQ(run["record"]["device"], "no device");
  EXPECT_EQ(run["config"]["train.batchSize"], "4");
  EXPECT_EQ(run["bestTestAccuracy"], run["test"]["accuracy"]);
}

TEST_F(RunReport, TellsRunsOfOneNameApart) {
  fs::create_directory(folder_.path() / "other");
  fs::copy(folder_.path() / "first", folder_.path() / "other" / "first",
           fs::copy_options::recursive);
  std::vector<fs::path> all = both();
  all.push_back(folder_.path() / "other" / "first");
  const auto json = nlohmann::json::parse(runsAsJson(all));
  EXPECT_EQ(json["runs"][0]["name"], all[0].string());
  EXPECT_EQ(json["runs"][1]["name"], "second");
  EXPECT_EQ(json["runs"][2]["name"], all[2].string());
}

TEST_F(RunReport, ReadsARunThatIsBeingWritten) {
  AppendFile(folder_.path() / "first" / "metrics.jsonl").append("{\"kind\":\"tra");
  EXPECT_EQ(nlohmann::json::parse(runsAsJson(both()))["runs"][0]["lastUpdate"], 20);
}

TEST_F(RunReport, NamesTheFileAndLineThatAreDamaged) {
  const auto refuse = [&](const char* content, const char* name, const std::string& expected) {
    AppendFile(folder_.path() / "first" / name).append(content);
    try {
      runsAsJson(both());
      ADD_FAILURE() << "no error: " << name;
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr((folder_.path() / "first" / name).string() + expected));
    }
  };
  refuse("12\n", "metrics.jsonl", ":17: is not a record");
  refuse("}", "record.json", ": is no JSON object");
}

TEST_F(RunReport, NamesAFolderThatHoldsNoRun) {
  try {
    runsAsJson({folder_.path()});
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is not a run folder"));
  }
}

TEST_F(RunReport, NeedsNoNetwork) {
  const std::string page = runReportPage(both());
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, HasSubstr("uPlot"));
}

TEST_F(RunReport, DrawsItsCurvesInABrowser) {
  if (!browserIsInstalled()) {
    GTEST_SKIP() << "chromium is not installed";
  }
  const fs::path page = folder_.path() / "page.html";
  writeDurably(page, runReportPage(both()));
  const std::string output = openInBrowser(page, folder_.path() / "profile");
  EXPECT_THAT(output, HasSubstr("Keys that differ"));
  EXPECT_THAT(output, HasSubstr("first train"));
  EXPECT_THAT(output, HasSubstr("second layer 0"));
  EXPECT_THAT(output, HasSubstr("<canvas"));
  // Both curves of a run have its colour: the legend shows which is dashed.
  EXPECT_THAT(output, AllOf(HasSubstr("2px solid rgb(31, 119, 180)"),
                            HasSubstr("2px dashed rgb(31, 119, 180)")));
  EXPECT_THAT(output, Not(HasSubstr("CONSOLE"))); // no errors or warnings of the page
}

} // namespace
} // namespace spillway
