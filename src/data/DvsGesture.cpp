#include "data/DvsGesture.hpp"

#include "data/FileBytes.hpp"
#include "network/IoError.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>

namespace spillway {

namespace {

std::ifstream openText(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw IoError(path.string() + ": cannot be opened");
  }
  return stream;
}

void requireWithin(const GestureTrial& trial, const std::filesystem::path& labels,
                   const Aedat31File& recording) {
  const std::int64_t endUs = recording.lastUs() + 1;
  if (trial.startUs < recording.firstUs() || trial.endUs > endUs) {
    throw FileError(labels, trial.offset,
                    "trial from " + std::to_string(trial.startUs) + " to " +
                        std::to_string(trial.endUs) + " us, but " + recording.path().string() +
                        " has events from " + std::to_string(recording.firstUs()) + " to " +
                        std::to_string(endUs) + " us");
  }
}

void trimEnd(std::string& line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
    line.pop_back();
  }
}

} // namespace

std::vector<GestureTrial> readGestureLabels(const std::filesystem::path& path) {
  constexpr std::int64_t kLongestUs = 1'000'000'000'000'000; // far from overflow
  std::ifstream stream = openText(path);
  std::vector<GestureTrial> trials;
  std::string line;
  std::getline(stream, line); // the names of the columns
  if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
    throw FileError(path, 0, "begins with a trial; the first line must name the columns");
  }
  std::uint64_t at = line.size() + 1;
  for (std::string raw; std::getline(stream, raw); at += raw.size() + 1) {
    line = raw;
    trimEnd(line);
    if (line.empty()) {
      continue;
    }
    std::array<std::int64_t, 3> numbers{};
    const char *next = line.data(), *end = line.data() + line.size();
    bool good = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto [after, error] = std::from_chars(next, end, numbers[i]);
      good =
          good && error == std::errc() && (i == 2 ? after == end : after != end && *after == ',');
      next = after == end ? end : after + 1;
    }
    if (!good || numbers[0] < 1 || numbers[0] > std::int64_t{kNumGestures} || numbers[1] < 0 ||
        numbers[2] <= numbers[1] || numbers[2] > kLongestUs) {
      throw FileError(path, at,
                      "'" + line.substr(0, 60) +
                          "' is not class (1 to 11), start and a later end in microseconds");
    }
    trials.push_back({static_cast<std::int32_t>(numbers[0] - 1), numbers[1], numbers[2], at});
  }
  if (trials.empty()) {
    throw FileError(path, at, "the file ends without a trial");
  }
  return trials;
}

DvsGesture::DvsGesture(const std::filesystem::path& list, const Binning& binning)
    : binning_(binning) {
  std::ifstream stream = openText(list);
  std::uint64_t at = 0;
  for (std::string line; std::getline(stream, line); at += line.size() + 1) {
    std::string name = line;
    trimEnd(name);
    if (name.empty()) {
      continue;
    }
    const std::filesystem::path recording = list.parent_path() / name;
    if (!std::filesystem::is_regular_file(recording)) {
      throw FileError(list, at, "there is no recording " + recording.string());
    }
    files_.emplace_back(recording, kDvsGestureSensor);
    const std::filesystem::path labels =
        recording.parent_path() / (recording.stem().string() + "_labels.csv");
    for (const GestureTrial& trial : readGestureLabels(labels)) {
      requireWithin(trial, labels, files_.back());
      samples_.push_back({files_.size() - 1, trial});
    }
  }
  if (samples_.empty()) {
    throw FileError(list, at, "the file ends without the name of a recording");
  }
}

Sample DvsGesture::sample(std::uint32_t index) const {
  const Entry& entry = samples_.at(index);
  const auto spanUs = static_cast<std::int64_t>(std::ceil(binning_.numSteps * binning_.stepUs));
  const std::int64_t endUs = std::min(entry.trial.endUs, entry.trial.startUs + spanUs);
  Sample sample;
  sample.label = entry.trial.label;
  sample.events = binEvents(files_[entry.file].events(entry.trial.startUs, endUs),
                            kDvsGestureSensor, binning_, entry.trial.startUs);
  return sample;
}

} // namespace spillway
