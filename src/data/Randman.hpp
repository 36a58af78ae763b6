// Smooth random manifolds (after Zenke and Vogels 2021): each class is a random smooth map from a
// cube of a few dimensions to the spike times of all inputs; a sample is a random point of the
// cube. Every input spikes once, so only timing tells the classes apart.
#pragma once

#include "data/SampleSource.hpp"
#include "network/CounterRandom.hpp"

namespace spillway {

struct RandmanOptions {
  std::uint32_t numInputs = 128;
  std::uint32_t numClasses = 10;
  std::uint32_t numSteps = 100;
  std::uint32_t dimension = 1;
  double smoothness = 2.0; // amplitude of the k-th harmonic is k^-smoothness
  std::uint32_t samplesPerClass = 100;
  std::uint64_t seed = 1;   // of the manifolds
  std::uint64_t stream = 0; // of the points: another for another split
};

// Sample i belongs to class i mod numClasses.
class Randman : public SampleSource {
public:
  explicit Randman(const RandmanOptions& options);

  std::uint32_t size() const override { return options_.numClasses * options_.samplesPerClass; }
  Sample sample(std::uint32_t index) const override;

private:
  struct Range {
    double low, high;
  };
  double coordinate(std::uint32_t manifold, const std::vector<double>& point) const;
  std::vector<double> drawPoint(std::uint64_t stream, std::uint64_t index) const;

  RandmanOptions options_;
  std::vector<double> amplitude_, phase_; // [numClasses * numInputs][dimension][kNumHarmonics]
  std::vector<Range> range_;              // [numClasses * numInputs]
};

} // namespace spillway
