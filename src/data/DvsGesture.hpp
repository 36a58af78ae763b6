// DVS128 Gesture as published: recordings userNN_light.aedat, beside each userNN_light_labels.csv
// ("class,startTime_usec,endTime_usec", classes 1 .. 11), and lists of the recordings of a split.
#pragma once

#include "data/Aedat31.hpp"
#include "data/SampleSource.hpp"

#include <filesystem>

namespace spillway {

inline constexpr SensorSize kDvsGestureSensor{.width = 128, .height = 128, .polarities = 2};
inline constexpr std::uint32_t kNumGestures = 11;

struct GestureTrial {
  std::int32_t label = 0; // 0 .. 10
  std::int64_t startUs = 0, endUs = 0;
  std::uint64_t offset = 0; // of its line
};

// Throws FileError for a line that is not three numbers, a class outside 1 .. 11, an end before a
// start, and where there is no trial.
std::vector<GestureTrial> readGestureLabels(const std::filesystem::path& path);

// A sample is one trial, binned from its start.
class DvsGesture : public SampleSource {
public:
  // list: trials_to_train.txt or trials_to_test.txt, one recording's name per line. Throws
  // FileError for a trial that begins before its recording or ends after it: one that was cut off.
  DvsGesture(const std::filesystem::path& list, const Binning& binning);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(samples_.size()); }
  Sample sample(std::uint32_t index) const override;

private:
  struct Entry {
    std::size_t file;
    GestureTrial trial;
  };
  std::vector<Aedat31File> files_;
  std::vector<Entry> samples_;
  Binning binning_;
};

} // namespace spillway
