#include "data/ShdSource.hpp"

#include "data/FileBytes.hpp"
#include "data/FileTrial.hpp"

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

// All of the file that the library finds its way through; the rest this program follows by itself.
void readOnce(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  file.read<std::int64_t>("labels");
  for (const char* name : {"spikes/times", "spikes/units"}) {
    const Hdf5NumberSequences rows = file.numberSequences(name);
    rows.readReferences();
    rows.row<float>(0); // converted by the library
  }
  if (file.has("extra/keys")) {
    file.shape("extra/keys");
  }
}

const std::filesystem::path& tried(const std::filesystem::path& path) {
  if (!survivesInAChild(path, [&] { readOnce(path); })) {
    throw FileError(path, "HDF5", "the library fails on this file, so it is damaged");
  }
  return path;
}

} // namespace

ShdSource::ShdSource(const std::filesystem::path& path, const Binning& binning)
    : file_(tried(path)),
      times_(file_.numberSequences("spikes/times")),
      units_(file_.numberSequences("spikes/units")),
      binning_(binning),
      labels_(file_.read<std::int64_t>("labels").values) {
  for (const char* name : {"spikes/times", "spikes/units"}) {
    const std::vector<std::size_t> shape = file_.shape(name);
    if (shape.size() != 1 || shape[0] != labels_.size()) {
      throw FileError(path, std::string("data set '") + name + "'",
                      "does not have one row for each of the " + std::to_string(labels_.size()) +
                          " labels");
    }
  }
  if (labels_.empty()) {
    throw FileError(path, "data set 'labels'", "is empty");
  }
  constexpr std::int64_t kMaxClasses = 65535;
  if (file_.has("extra/keys")) {
    const std::vector<std::size_t> shape = file_.shape("extra/keys");
    if (shape.size() != 1 || shape[0] == 0 || shape[0] > kMaxClasses) {
      throw FileError(path, "data set 'extra/keys'", "is no list of 1 to 65535 names of classes");
    }
    numClasses_ = static_cast<std::uint32_t>(shape[0]);
  } else {
    numClasses_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        1 + *std::max_element(labels_.begin(), labels_.end()), 1, kMaxClasses));
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] < 0 || labels_[i] >= std::int64_t{numClasses_}) {
      throw FileError(path, "data set 'labels', row " + std::to_string(i),
                      "label " + std::to_string(labels_[i]) + "; it must be 0 to " +
                          std::to_string(numClasses_ - 1));
    }
  }
}

Sample ShdSource::sample(std::uint32_t index) const {
  const std::vector<float> times = times_.row<float>(index);
  const std::vector<std::int64_t> units = units_.row<std::int64_t>(index);
  const std::string place = "sample " + std::to_string(index);
  if (times.size() != units.size()) {
    throw FileError(file_.path(), place,
                    std::to_string(times.size()) + " times, but " + std::to_string(units.size()) +
                        " units");
  }
  std::vector<SensorEvent> events;
  events.reserve(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    constexpr float kLongestSeconds = 1e6f; // far from overflow in microseconds
    if (!(times[i] >= 0.0f && times[i] < kLongestSeconds) || units[i] < 0 ||
        units[i] >= std::int64_t{kShdSensor.width}) {
      throw FileError(file_.path(), place,
                      "spike " + std::to_string(i) + " of unit " + std::to_string(units[i]) +
                          " at " + std::to_string(times[i]) +
                          " s; units are 0 to 699 and times not negative");
    }
    events.push_back({.timeUs = std::llround(1e6 * double{times[i]}),
                      .x = static_cast<std::uint16_t>(units[i])});
  }
  Sample sample;
  sample.label = static_cast<std::int32_t>(labels_.at(index));
  sample.events = binEvents(events, kShdSensor, binning_, 0);
  return sample;
}

} // namespace spillway
