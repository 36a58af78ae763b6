#include "data/ShdSource.hpp"

#include "data/FileBytes.hpp"
#include "data/FileTrial.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace spillway {
namespace {

// All of the file that the library finds its way through; the rest this program follows by itself.
void readOnce(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  file.read<double>("labels");
  const Hdf5NumberSequences times = file.numberSequences("spikes/times");
  const Hdf5NumberSequences units = file.numberSequences("spikes/units");
  times.readReferences();
  units.readReferences();
  times.row<float>(0); // converted by the library
  units.row<double>(0);
  if (file.has("extra/keys")) {
    file.shape("extra/keys");
  }
}

// Whole numbers, whatever type holds them: what is not one is refused rather than rounded.
bool isIndex(double value, std::uint32_t size) {
  return value >= 0.0 && value < size && value == std::trunc(value);
}

// Short, and told from the whole number beside it.
std::string asText(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

const std::filesystem::path& tried(const std::filesystem::path& path) {
  if (!survivesInAChild(path, [&] { readOnce(path); })) {
    throw FileError(path, "HDF5", "the library fails on this file, so it is damaged");
  }
  return path;
}

} // namespace

ShdSource::ShdSource(const std::filesystem::path& path, const Binning& binning,
                     std::uint32_t numClasses)
    : file_(tried(path)),
      times_(file_.numberSequences("spikes/times")),
      units_(file_.numberSequences("spikes/units")),
      binning_(binning),
      numClasses_(numClasses) {
  const std::vector<double> labels = file_.read<double>("labels").values;
  for (const char* name : {"spikes/times", "spikes/units"}) {
    const std::vector<std::size_t> shape = file_.shape(name);
    if (shape.size() != 1 || shape[0] != labels.size()) {
      throw FileError(path, std::string("data set '") + name + "'",
                      "does not have one row for each of the " + std::to_string(labels.size()) +
                          " labels");
    }
  }
  if (labels.empty()) {
    throw FileError(path, "data set 'labels'", "is empty");
  }
  constexpr std::size_t kMaxClasses = 65535;
  if (file_.has("extra/keys")) {
    const std::vector<std::size_t> shape = file_.shape("extra/keys");
    if (shape.size() != 1 || shape[0] == 0 || shape[0] > kMaxClasses) {
      throw FileError(path, "data set 'extra/keys'", "is no list of 1 to 65535 names of classes");
    }
    numClasses_ = static_cast<std::uint32_t>(shape[0]);
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!isIndex(labels[i], numClasses_)) {
      throw FileError(path, "data set 'labels', row " + std::to_string(i),
                      "label " + asText(labels[i]) + "; it must be a whole number, 0 to " +
                          std::to_string(numClasses_ - 1));
    }
    labels_.push_back(static_cast<std::int32_t>(labels[i]));
  }
}

Sample ShdSource::sample(std::uint32_t index) const {
  const std::vector<float> times = times_.row<float>(index);
  const std::vector<double> units = units_.row<double>(index);
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
    if (!(times[i] >= 0.0f && times[i] < kLongestSeconds) || !isIndex(units[i], kShdSensor.width)) {
      throw FileError(file_.path(), place,
                      "spike " + std::to_string(i) + " of unit " + asText(units[i]) + " at " +
                          std::to_string(times[i]) +
                          " s; units are whole numbers, 0 to 699, and times not negative");
    }
    events.push_back({.timeUs = std::llround(1e6 * double{times[i]}),
                      .x = static_cast<std::uint16_t>(units[i])});
  }
  Sample sample;
  sample.label = labels_.at(index);
  sample.events = binEvents(events, kShdSensor, binning_, 0);
  return sample;
}

} // namespace spillway
