// N-MNIST: one file per sample, five bytes per event. Two layouts are read: the published one,
// Train/<digit>/<id>.bin and Test/<digit>/<id>.bin, and a list ("id<TAB>digit" lines, # comments)
// beside files <id>.bs2.
#pragma once

#include "data/Binning.hpp"
#include "data/SampleSource.hpp"

#include <filesystem>

namespace spillway {

inline constexpr SensorSize kNMnistSensor{.width = 34, .height = 34, .polarities = 2};

// Byte 0: x; 1: y; bit 7 of 2: polarity; the other 23 bits, big-endian: time in us. y = 240 marks
// 2^13 us to be added to all later times. Throws FileError for a partial event and for one outside
// the sensor.
std::vector<SensorEvent> readNMnistFile(const std::filesystem::path& path);

class NMnist : public SampleSource {
public:
  // folder holds <digit>/<id>.bin.
  static NMnist fromFolders(const std::filesystem::path& folder, const Binning& binning);
  // The list's folder holds <id>.bs2.
  static NMnist fromList(const std::filesystem::path& list, const Binning& binning);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(files_.size()); }
  Sample sample(std::uint32_t index) const override;

private:
  struct File {
    std::filesystem::path path;
    std::int32_t label;
  };
  NMnist(std::vector<File> files, const Binning& binning)
      : files_(std::move(files)), binning_(binning) {}

  std::vector<File> files_;
  Binning binning_;
};

} // namespace spillway
