#include "TestGraph.hpp"
#include "profile/ChromeTrace.hpp"
#include "profile/LegacyProfile.hpp"
#include "profile/ProfileFiles.hpp"
#include "profile/ProfileJson.hpp"
#include "profile/Summary.hpp"

#include <pva/pva.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace ipumodel {
namespace {

using testing::HasSubstr;

// Two layers of vertices, a stream in front, run twice.
struct Example {
  TestGraph g;
  std::shared_ptr<const ProfileData> profile;

  Example() {
    const VarId a = g.variable("input", 8, 0, 1), b = g.variable("hidden", 8, 0, 1);
    const VarId c = g.variable("output", 8, 0, 1);
    g.data.hostAccess["output"] = {g.all(c), true, false};
    const VertexType& type = g.type("Layer");
    const ComputeSetId first = g.computeSet("first"), second = g.computeSet("second");
    for (std::uint32_t tile = 0; tile < 8; ++tile) {
      g.vertex(first, type, tile, g.all(a), g.part(b, tile, tile + 1), 10 * (tile + 1));
      g.vertex(second, type, tile, g.part(b, tile, tile + 1), g.part(c, tile, tile + 1));
    }
    const StreamId in = g.stream("in", StreamDirection::HostToDevice, 8);
    const std::vector<ProgramPtr> steps{program(node::CopyFromStream{in, g.all(a)}, "stream"),
                                        execute(first), execute(second)};
    Profiler profiler(g.data, {sequence(steps)});
    const auto account = profiler.makeAccount();
    for (int run = 0; run < 2; ++run) {
      account->beginRun(0, "run " + std::to_string(run));
      for (const ProgramPtr& step : steps)
        account->executed(profiler.steps().of(*step));
      account->endRun();
    }
    profile = profiler.profile(account.get());
  }
};

TEST(ProfileJson, WhatIsWrittenCanBeReadBack) {
  const Example example;
  std::stringstream text, again;
  writeProfileJson(text, *example.profile);
  const ProfileData read = readProfileJson(text);
  writeProfileJson(again, read);
  EXPECT_EQ(text.str(), again.str());
  EXPECT_EQ(read.execution.cycles.total(), example.profile->execution.cycles.total());
}

TEST(ProfileJson, SaysThatFiguresAreModelled) {
  std::stringstream text;
  writeProfileJson(text, *Example().profile);
  EXPECT_TRUE(nlohmann::json::parse(text.str()).at("modelled").get<bool>());
}

TEST(ProfileJson, KeepsNoMoreStepsThanAsked) {
  const Example example;
  std::stringstream text;
  writeProfileJson(text, *example.profile, 3);
  const ProfileData read = readProfileJson(text);
  EXPECT_EQ(read.execution.steps.size(), 3u);
  EXPECT_EQ(read.execution.stepsDropped, example.profile->execution.steps.size() - 3);
}

TEST(ProfileJson, RefusesOtherFiles) {
  std::stringstream other("{\"format\":\"other\"}"), broken("{");
  EXPECT_THROW(readProfileJson(other), std::runtime_error);
  EXPECT_THROW(readProfileJson(broken), std::runtime_error);
}

TEST(Summary, HasPoplarsSections) {
  const Example example;
  std::ostringstream out;
  printSummary(out, *example.profile,
               {.showExecutionSteps = true, .showVarStorage = true, .showMachine = true});
  for (const char* text :
       {"Target:", "Graph:", "Memory Usage:", "Number of vertices:", "Execution:", "Total cycles:",
        "Vertices of unknown cost:", "OnTileExecute: execute", "modelled",
        "streamingMemoryBytesPerSecond", "uncalibrated"})
    EXPECT_THAT(out.str(), HasSubstr(text));
}

TEST(Summary, HasTheTileBalanceOfTheProfile) {
  const Example example;
  std::ostringstream summary;
  printSummary(summary, *example.profile, {});
  std::stringstream text;
  writeProfileJson(text, *example.profile);
  const double balance =
      nlohmann::json::parse(text.str()).at("execution").at("tileBalance").get<double>();
  EXPECT_GT(balance, 0.0);
  EXPECT_LE(balance, 1.0);
  char expected[32];
  std::snprintf(expected, sizeof expected, "%.1f%%", 100.0 * balance);
  const std::size_t line = summary.str().find("Tile balance:");
  ASSERT_NE(line, std::string::npos);
  EXPECT_THAT(summary.str().substr(line, 80), HasSubstr(expected));
}

TEST(ChromeTrace, IsValidJsonWithSlicesInOrder) {
  const Example example;
  std::stringstream text;
  writeChromeTrace(text, *example.profile);
  const auto trace = nlohmann::json::parse(text.str());
  double end = 0;
  std::size_t slices = 0, counters = 0;
  for (const auto& event : trace.at("traceEvents")) {
    counters += event.at("ph") == "C";
    if (event.at("ph") != "X" || event.at("tid") != 0)
      continue;
    ++slices;
    EXPECT_GE(event.at("ts").get<double>(), end - 1e-9);
    end = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  EXPECT_EQ(slices, example.profile->execution.steps.size());
  EXPECT_GT(counters, 0u);
  const double total = static_cast<double>(example.profile->execution.cycles.total());
  EXPECT_NEAR(end, 1e6 * total / 1.33e9, 1e-3);
}

TEST(ChromeTrace, ChoosesBusiestMedianAndIdlestTile) {
  const auto tiles = chosenTiles(*Example().profile);
  ASSERT_EQ(tiles.size(), 3u);
  EXPECT_EQ(tiles[0], 7u);
  EXPECT_EQ(tiles[2], 0u);
}

TEST(LegacyProfile, HasTheDocumentedFields) {
  const Example example;
  const poplar::ProfileValue graph = graphProfile(*example.profile);
  EXPECT_EQ(graph["target"]["numTiles"].asUint(), 8u);
  EXPECT_EQ(graph["graph"]["numComputeSets"].asUint(), 2u);
  EXPECT_GT(graph["memory"]["byCategory"]["stack"]["nonInterleaved"]["nonOverlapped"].sumUint(),
            0u);
  EXPECT_EQ(graph["memory"]["byTile"]["total"].size(), 8u);
  const poplar::ProfileValue execution = executionProfile(*example.profile);
  EXPECT_EQ(execution["profilerMode"].asString(), "IPU_MODEL");
  EXPECT_EQ(execution["simulation"]["cycles"].asUint(), example.profile->execution.cycles.total());
}

std::int64_t query(const std::string& path, const char* sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql, -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const std::int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return value;
}

TEST(ProfileFiles, WritesEveryFormAndPvaOpensIt) {
  const Example example;
  const auto folder = std::filesystem::temp_directory_path() / "spillway_profile_files_test";
  std::filesystem::remove_all(folder);
  writeProfileFiles((folder / "deep" / "er").string(), *example.profile);
  const auto made = folder / "deep" / "er";
  for (const char* name : {"profile.json", "profile.sqlite", "summary.txt", "trace.json"})
    EXPECT_TRUE(std::filesystem::exists(made / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(made / "profile.pop"));

  const std::string database = (made / "profile.sqlite").string();
  EXPECT_EQ(query(database, "SELECT sum(cycles) FROM steps"),
            static_cast<std::int64_t>(example.profile->execution.cycles.total()));
  EXPECT_EQ(query(database, "SELECT count(*) FROM memory_by_tile"), 8);
  EXPECT_EQ(query(database, "SELECT count(*) FROM programs JOIN compute_sets USING(compute_set)"),
            2);

  // Programs written for Graphcore's library ask for its file name.
  const pva::Report report = pva::openReport((made / "profile.pop").string());
  EXPECT_EQ(report.execution().totalCycles(), example.profile->execution.cycles.total());
  std::filesystem::remove_all(folder);
}

TEST(ProfileFiles, SayWhichFolderCannotBeMade) {
  try {
    writeProfileFiles("/proc/spillway", *Example().profile);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("/proc/spillway"));
  }
}

} // namespace
} // namespace ipumodel
