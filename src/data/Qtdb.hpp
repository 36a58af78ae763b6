// ECG of the QT database with a class for every step (Yin, Corradi, Bohte 2021): .mat files with
// x [samples, steps, channels] in {-1, 0, 1} and y [samples, steps, classes], one-hot.
#pragma once

#include "data/MatFile.hpp"
#include "data/SampleSource.hpp"

namespace spillway {

// What a step counts as whose row of y is all 0.
enum class Unlabelled { Skipped, FirstClass };

// Input id: channel for -1, channels + channel for 1.
class Qtdb : public SampleSource {
public:
  // The file's steps after numSteps are left out; steps it lacks are empty and without a label.
  // Throws FileError for arrays that do not fit together, other values in x, and rows of y that are
  // neither one-hot nor all 0.
  Qtdb(const std::filesystem::path& path, std::uint32_t numSteps, Unlabelled unlabelled);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(x_.shape[0]); }
  Sample sample(std::uint32_t index) const override;

  InputGrid grid() const {
    return {.width = static_cast<std::uint32_t>(x_.shape[2]), .channels = 2};
  }
  std::uint32_t numClasses() const { return static_cast<std::uint32_t>(y_.shape[2]); }

private:
  std::int32_t labelAt(std::size_t sample, std::size_t step) const;

  MatArray x_, y_;
  std::uint32_t numSteps_;
  Unlabelled unlabelled_;
};

} // namespace spillway
