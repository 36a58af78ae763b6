// Spiking Heidelberg Digits, Spiking Speech Commands, and files in their layout:
//   spikes/times  [n] variable-length, seconds      labels [n]
//   spikes/units  [n] variable-length, 0 .. 699     extra/keys [classes], optional: the classes'
//   names
#pragma once

#include "data/Binning.hpp"
#include "data/Hdf5File.hpp"
#include "data/Hdf5NumberSequences.hpp"
#include "data/SampleSource.hpp"

namespace spillway {

inline constexpr SensorSize kShdSensor{.width = 700};
inline constexpr std::uint32_t kNumShdClasses = 20, kNumSscClasses = 35;

class ShdSource : public SampleSource {
public:
  // numClasses: of a file that does not name them. Throws FileError for a label that is none of the
  // classes.
  ShdSource(const std::filesystem::path& path, const Binning& binning,
            std::uint32_t numClasses = kNumShdClasses);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(labels_.size()); }
  Sample sample(std::uint32_t index) const override;

  std::uint32_t numClasses() const { return numClasses_; }

private:
  Hdf5Reader file_;
  Hdf5NumberSequences times_, units_;
  Binning binning_;
  std::uint32_t numClasses_;
  std::vector<std::int32_t> labels_;
};

} // namespace spillway
