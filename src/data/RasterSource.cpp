#include "data/RasterSource.hpp"

#include "data/FileBytes.hpp"

#include <algorithm>
#include <cmath>

namespace spillway {

namespace {

NpyArray takeArray(std::map<std::string, NpyArray>& arrays, const std::filesystem::path& path,
                   const std::string& name, const std::string& other) {
  const auto it = arrays.contains(name) ? arrays.find(name) : arrays.find(other);
  if (it == arrays.end()) {
    throw FileError(path, "archive", "has neither an array '" + name + "' nor '" + other + "'");
  }
  return std::move(it->second);
}

} // namespace

RasterSource RasterSource::open(const std::filesystem::path& folder, const std::string& name,
                                std::uint32_t numSteps) {
  const std::filesystem::path archive = folder / (name + ".npz");
  if (std::filesystem::exists(archive)) {
    std::map<std::string, NpyArray> arrays = readNpz(archive);
    NpyArray spikes = takeArray(arrays, archive, "spikes", "x");
    return {archive, std::move(spikes), takeArray(arrays, archive, "labels", "y"), numSteps};
  }
  const std::filesystem::path spikes = folder / (name + "_spikes.npy");
  return {spikes, NpyArray::read(spikes), NpyArray::read(folder / (name + "_labels.npy")),
          numSteps};
}

RasterSource::RasterSource(const std::filesystem::path& path, NpyArray spikes, NpyArray labels,
                           std::uint32_t numSteps)
    : spikes_(std::move(spikes)), labels_(std::move(labels)), numSteps_(numSteps) {
  const std::vector<std::size_t>& shape = spikes_.shape();
  if ((shape.size() != 3 && shape.size() != 5) || spikes_.size() == 0) {
    throw FileError(path, "spikes",
                    "have " + std::to_string(shape.size()) +
                        " dimensions; they must be samples, steps, inputs, or samples, steps, "
                        "channels, height, width, and none of them 0");
  }
  const std::size_t numInputs = spikes_.size() / shape[0] / shape[1];
  if (numInputs > 65535) {
    throw FileError(path, "spikes",
                    "have " + std::to_string(numInputs) + " inputs; at most 65535 can be read");
  }
  const auto extent = [&](std::size_t i) { return static_cast<std::uint32_t>(shape[i]); };
  grid_ = shape.size() == 3
              ? InputGrid{.width = extent(2)}
              : InputGrid{.width = extent(4), .height = extent(3), .channels = extent(2)};
  const std::vector<std::size_t> perSample = {shape[0]}, perStep = {shape[0], shape[1]};
  if (labels_.shape() != perSample && labels_.shape() != perStep) {
    throw FileError(path, "labels", "must be one per sample, or one per sample and step");
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const double label = labels_[i];
    if (!(label >= -1.0 && label < 65535.0 && label == std::floor(label))) {
      throw FileError(path, "label " + std::to_string(i),
                      std::to_string(label) + " is not a class; it must be 0 to 65534, or -1");
    }
    numClasses_ = std::max(numClasses_, static_cast<std::uint32_t>(label + 1.0));
  }
}

Sample RasterSource::sample(std::uint32_t index) const {
  const std::size_t fileSteps = spikes_.shape()[1], numInputs = grid_.numInputs();
  const std::size_t steps = std::min<std::size_t>(fileSteps, numSteps_);
  Sample sample;
  for (std::size_t t = 0; t < steps; ++t) {
    for (std::size_t i = 0; i < numInputs; ++i) {
      if (spikes_[(index * fileSteps + t) * numInputs + i] != 0.0) {
        sample.events.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint16_t>(i)});
      }
    }
  }
  if (!labelPerStep()) {
    sample.label = static_cast<std::int32_t>(labels_[index]);
    return sample;
  }
  sample.stepLabels.assign(numSteps_, EventBatch::kNoLabel);
  for (std::size_t t = 0; t < steps; ++t) {
    sample.stepLabels[t] = static_cast<std::int32_t>(labels_[index * fileSteps + t]);
  }
  return sample;
}

} // namespace spillway
