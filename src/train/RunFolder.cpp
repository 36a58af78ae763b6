#include "train/RunFolder.hpp"

#include "config/Config.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"
#include "train/LockedFile.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <chrono>
#include <ctime>

namespace spillway {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRecord = "record.json";

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

} // namespace

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw IoError("cannot make the run folder " + path_.string() + ": " + error.message());
  }
  const fs::path lockFile = path_ / ".lock";
  lock_ = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) {
    throwErrno("write into the run folder", path_);
  }
  if (!lockAtOnce(lock_)) {
    ::close(lock_);
    throw IoError("the run folder " + path_.string() + " is in use by another process");
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!fs::exists(configFile(), ignored)) {
    // The run did not begin: leave nothing that a later one would have to avoid.
    fs::remove(path_ / ".lock", ignored);
    fs::remove(path_, ignored); // only if empty
  }
  ::close(lock_);
}

fs::path RunFolder::fresh(const fs::path& base) {
  fs::path candidate = base;
  for (int i = 2; isThere(candidate); ++i) {
    candidate = base.string() + "-" + std::to_string(i);
  }
  return candidate;
}

fs::path RunFolder::latest(const fs::path& base) {
  fs::path last;
  fs::path candidate = base;
  for (int i = 2; isThere(candidate); ++i) {
    last = candidate;
    candidate = base.string() + "-" + std::to_string(i);
  }
  return last;
}

void RunFolder::writeConfig(const Settings& settings) const {
  writeDurably(configFile(), "# Every key as this run uses it.\n\n" + formatConfig(settings));
}

void RunFolder::writeRecord(const RunRecord& record) const {
  const nlohmann::ordered_json json{{"revision", record.revision},
                                    {"provider", record.provider},
                                    {"device", record.device},
                                    {"seed", record.seed},
                                    {"ranks", record.hosts},
                                    {"data", record.data},
                                    {"started", now()}};
  writeDurably(path_ / kRecord, json.dump(2) + "\n");
}

std::string RunFolder::recordedData(const fs::path& run) {
  if (!isThere(run / kRecord)) {
    return "";
  }
  const auto json = nlohmann::json::parse(readWhole(run / kRecord), nullptr, false);
  return json.is_object() && json.contains("data") && json["data"].is_string()
             ? json["data"].get<std::string>()
             : "";
}

void RunFolder::log(const std::string& message) const {
  AppendFile(path_ / "run.log").append(now() + " " + message + "\n");
}

} // namespace spillway
