// A run is a folder:
//   config.cfg       every key as used          record.json    revision, device, seed, data, ...
//   metrics.jsonl    one record a line          metrics.csv    the same as a table
//   snapshots/       where the run stands       run.log        what happened when
//   summary.json     how it ended               tensorboard/   event file, if asked for
#pragma once

#include "config/Settings.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

struct RunRecord {
  std::string revision, provider, device;
  std::uint64_t seed = 0;
  std::vector<std::string> hosts; // by rank
  std::string data;               // as describeData() says
};

class RunFolder {
public:
  // Makes the folder and its parents, proves that it can be written, and holds it against a second
  // writer as long as the object lives. Throws IoError.
  explicit RunFolder(std::filesystem::path path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // `base`, or base-2, base-3, ...: the first that does not exist.
  static std::filesystem::path fresh(const std::filesystem::path& base);
  // The last of base, base-2, ... that exists; empty if none does.
  static std::filesystem::path latest(const std::filesystem::path& base);

  void writeConfig(const Settings& settings) const;
  void writeRecord(const RunRecord& record) const;
  // What the run's last sitting was trained on; empty where that is not known.
  static std::string recordedData(const std::filesystem::path& run);
  void log(const std::string& message) const; // one line of run.log with date and time

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path configFile() const { return path_ / "config.cfg"; }
  std::filesystem::path metricsJson() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path metricsCsv() const { return path_ / "metrics.csv"; }
  std::filesystem::path snapshots() const { return path_ / "snapshots"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }

private:
  std::filesystem::path path_;
  int lock_ = -1;
};

} // namespace spillway
