#include "report/RunReport.hpp"

#include "config/ConfigFile.hpp"
#include "report/Assets.hpp"
#include "report/Page.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"
#include "train/MetricsFile.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json readObject(const fs::path& file) {
  if (!isThere(file)) {
    return Json::object();
  }
  Json json = Json::parse(readWhole(file), nullptr, false);
  if (!json.is_object()) {
    throw UserError(file.string() + ": is no JSON object; it is damaged");
  }
  return json;
}

Json lastTest(const std::vector<Json>& records) {
  Json last = nullptr;
  for (const Json& record : records) {
    if (record["kind"] == "test") {
      last = record;
    }
  }
  return last;
}

// Null where there are no classes.
Json bestTestAccuracy(const std::vector<Json>& records) {
  Json best = nullptr;
  for (const Json& record : records) {
    if (record["kind"] == "test" && record["accuracy"].is_number() &&
        (best.is_null() || record["accuracy"] > best)) {
      best = record["accuracy"];
    }
  }
  return best;
}

Json loadRun(const fs::path& folder) {
  const fs::path config = folder / "config.cfg";
  if (!isThere(config)) {
    throw IoError(folder.string() + " is not a run folder: it has no config.cfg");
  }
  Json run;
  fs::path name = folder.filename();
  run["name"] = (name.empty() ? folder.parent_path().filename() : name).string();
  run["record"] = readObject(folder / "record.json");
  for (const Assignment& given : readConfigFile(config)) {
    run["config"][given.key] = given.value;
  }
  run["state"] = fs::exists(folder / "summary.json") ? "finished" : "unfinished";
  const std::vector<Json> records = readMetrics(folder / "metrics.jsonl");
  const std::uint64_t updates = records.empty() ? 0 : records.back()["update"].get<std::uint64_t>();
  const double seconds = records.empty() ? 0.0 : records.back()["seconds"].get<double>();
  run["lastUpdate"] = updates;
  run["updates"] = std::max<std::uint64_t>(updates, 1);
  run["epochs"] = 0;
  run["peakMemoryBytes"] = nullptr;
  for (const Json& record : records) {
    // Records of an epoch are made at its end, where update and epoch are both whole.
    if (record["kind"] == "epoch") {
      run["updates"] = record["update"];
      run["epochs"] = record["epoch"];
    }
    run["peakMemoryBytes"] = record["peakMemoryBytes"];
  }
  run["secondsPerUpdate"] =
      updates > 0 ? Json(seconds / static_cast<double>(updates)) : Json(nullptr);
  const Json test = lastTest(records);
  run["test"] = test;
  run["bestTestAccuracy"] = bestTestAccuracy(records);
  run["records"] = records;
  return run;
}

} // namespace

std::string runsAsJson(const std::vector<fs::path>& folders) {
  Json runs = Json::array();
  std::map<std::string, int> numNamed;
  for (const fs::path& folder : folders) {
    runs.push_back(loadRun(folder));
    ++numNamed[runs.back()["name"].get<std::string>()];
  }
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (numNamed[runs[i]["name"].get<std::string>()] > 1) { // told apart by where they lie
      runs[i]["name"] = folders[i].lexically_normal().string();
    }
  }
  return Json{{"runs", std::move(runs)}}.dump(
      -1, ' ', false, Json::error_handler_t::replace); // names may be of any bytes
}

std::string runReportPage(const std::vector<fs::path>& folders) {
  const std::string title = folders.size() == 1
                                ? "Spillway: " + folders.front().string()
                                : "Spillway: " + std::to_string(folders.size()) + " runs";
  return makePage(title, asset::runsScript(), runsAsJson(folders));
}

} // namespace spillway
