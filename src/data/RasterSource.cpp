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
    std::map<std::string, NpyArray> arrays = readNpz(archive, {"spikes", "x", "labels", "y"});
    NpyArray spikes = takeArray(arrays, archive, "spikes", "x");
    return {{archive, std::move(spikes)},
            {archive, takeArray(arrays, archive, "labels", "y")},
            numSteps};
  }
  const std::filesystem::path spikes = folder / (name + "_spikes.npy");
  const std::filesystem::path labels = folder / (name + "_labels.npy");
  return {{spikes, NpyArray::read(spikes)}, {labels, NpyArray::read(labels)}, numSteps};
}

RasterSource::RasterSource(Named spikes, Named labels, std::uint32_t numSteps)
    : labelsPath_(std::move(labels.path)),
      spikes_(std::move(spikes.array)),
      labels_(std::move(labels.array)),
      numSteps_(numSteps) {
  const std::vector<std::size_t>& shape = spikes_.shape();
  if ((shape.size() != 3 && shape.size() != 5) || spikes_.size() == 0) {
    throw FileError(spikes.path, "spikes",
                    "have " + std::to_string(shape.size()) +
                        " dimensions; they must be samples, steps, inputs, or samples, steps, "
                        "channels, height, width, and none of them 0");
  }
  const std::size_t numInputs = spikes_.size() / shape[0] / shape[1];
  if (numInputs > 65535) {
    throw FileError(spikes.path, "spikes",
                    "have " + std::to_string(numInputs) + " inputs; at most 65535 can be read");
  }
  const auto extent = [&](std::size_t i) { return static_cast<std::uint32_t>(shape[i]); };
  grid_ = shape.size() == 3
              ? InputGrid{.width = extent(2)}
              : InputGrid{.width = extent(4), .height = extent(3), .channels = extent(2)};
  for (std::size_t i = 0; spikes_.isReal() && i < spikes_.size(); ++i) {
    if (!std::isfinite(spikes_[i])) {
      throw FileError(spikes.path,
                      "spikes, sample " + std::to_string(i / numInputs / shape[1]) + ", step " +
                          std::to_string(i / numInputs % shape[1]) + ", input " +
                          std::to_string(i % numInputs),
                      std::to_string(spikes_[i]) + " is not a finite number");
    }
  }
  const std::vector<std::size_t> perSample = {shape[0]}, perStep = {shape[0], shape[1]};
  if (labels_.shape() != perSample && labels_.shape() != perStep) {
    throw FileError(labelsPath_, "labels", "must be one per sample, or one per sample and step");
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const double label = labels_[i];
    if (!(label >= -1.0 && label < 65535.0 && label == std::floor(label))) {
      throw FileError(labelsPath_, "label " + std::to_string(i),
                      std::to_string(label) + " is not a class; it must be 0 to 65534, or -1");
    }
    numClasses_ = std::max(numClasses_, static_cast<std::uint32_t>(label + 1.0));
  }
}

void RasterSource::requireLabelsBelow(std::uint32_t numClasses) const {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] >= numClasses) {
      throw FileError(labelsPath_, "label " + std::to_string(i),
                      std::to_string(std::lround(labels_[i])) +
                          "; the training data has classes 0 to " + std::to_string(numClasses - 1));
    }
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
