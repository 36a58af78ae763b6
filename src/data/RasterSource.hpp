// Spike rasters as NumPy arrays: spikes [samples, steps, inputs] or [samples, steps, channels,
// height, width], anything but 0 is an event; labels [samples], or [samples, steps] with -1 for
// none.
#pragma once

#include "data/NpyFile.hpp"
#include "data/SampleSource.hpp"

#include <filesystem>

namespace spillway {

class RasterSource : public SampleSource {
public:
  // name: <name>.npz with the arrays "spikes" (or "x") and "labels" (or "y") in the folder, or else
  // <name>_spikes.npy and <name>_labels.npy. A file's steps after numSteps are left out; steps it
  // lacks are empty.
  static RasterSource open(const std::filesystem::path& folder, const std::string& name,
                           std::uint32_t numSteps);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(spikes_.shape()[0]); }
  Sample sample(std::uint32_t index) const override;

  InputGrid grid() const { return grid_; }
  bool labelPerStep() const { return labels_.shape().size() == 2; }
  std::uint32_t numClasses() const { return numClasses_; } // largest label + 1

  // Throws FileError for a label that is none of so many classes.
  void requireLabelsBelow(std::uint32_t numClasses) const;

private:
  // An array and the file or archive it is from.
  struct Named {
    std::filesystem::path path;
    NpyArray array;
  };
  RasterSource(Named spikes, Named labels, std::uint32_t numSteps);

  std::filesystem::path labelsPath_;
  NpyArray spikes_, labels_;
  std::uint32_t numSteps_;
  InputGrid grid_;
  std::uint32_t numClasses_ = 1;
};

} // namespace spillway
