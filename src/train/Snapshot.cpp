#include "train/Snapshot.hpp"

#include "train/DurableFile.hpp"
#include "train/IoError.hpp"
#include "train/TensorFile.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>

namespace spillway {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kUserBlockBytes = 512;

// The user block's text; zeros follow.
std::string seal(const char* content, std::size_t size) {
  return fmt::format("spillway snapshot 1\nxxh3-64 {:016x}\nbytes {}\n", XXH3_64bits(content, size),
                     size);
}

void addParameters(TensorFileWriter& file, const std::string& prefix, const ParameterSet& set) {
  for (const ParameterTensor& tensor : set) {
    file.add<float>(prefix + tensor.name, tensor.shape, tensor.values);
  }
}

// Names are kept in one attribute, because HDF5 iterates groups in its own order.
std::string joinNames(const ParameterSet& set) {
  std::string names;
  for (const ParameterTensor& tensor : set) {
    names += tensor.name + "\n";
  }
  return names;
}

ParameterSet readParameters(const TensorFileReader& file, const std::string& prefix,
                            const std::string& names) {
  ParameterSet set;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = names.find('\n', begin);
    const std::string name = names.substr(begin, end - begin);
    set.push_back({name, file.shape(prefix + name), file.values<float>(prefix + name)});
    begin = end + 1;
  }
  return set;
}

void addProgress(TensorFileWriter& file, const RunningMean& mean) {
  file.attribute("epochLossSum", mean.lossSum);
  file.attribute("epochLossWeight", mean.lossWeight);
  std::vector<std::uint64_t> counts{mean.numCorrect, mean.numLabels, mean.numSamples,
                                    mean.numDroppedInputs};
  for (const LayerActivity& layer : mean.layers) {
    counts.insert(counts.end(), {layer.numSpikes, layer.numGradients, layer.numDropped});
  }
  file.add<std::uint64_t>("epochCounts", {counts.size()}, counts);
}

RunningMean readProgress(const TensorFileReader& file) {
  RunningMean mean;
  mean.lossSum = file.realAttribute("epochLossSum");
  mean.lossWeight = file.realAttribute("epochLossWeight");
  const auto counts = file.values<std::uint64_t>("epochCounts");
  mean.numCorrect = counts.at(0);
  mean.numLabels = counts.at(1);
  mean.numSamples = counts.at(2);
  mean.numDroppedInputs = counts.at(3);
  for (std::size_t i = 4; i + 2 < counts.size(); i += 3) {
    mean.layers.push_back({counts[i], counts[i + 1], counts[i + 2]});
  }
  return mean;
}

void verifySeal(const fs::path& path) {
  const std::string content = readWhole(path);
  if (content.size() <= kUserBlockBytes) {
    throw IoError(path.string() + " is damaged: it is cut off");
  }
  const std::string expected =
      seal(content.data() + kUserBlockBytes, content.size() - kUserBlockBytes);
  if (!content.starts_with(expected)) {
    throw IoError(path.string() + " is damaged: its checksum does not match");
  }
}

} // namespace

void writeSnapshot(const fs::path& path, const Snapshot& snapshot) {
  TensorFileWriter file;
  file.attribute("update", snapshot.update);
  file.attribute("epoch", snapshot.epoch);
  file.attribute("batchInEpoch", snapshot.batchInEpoch);
  file.attribute("secondsTrained", snapshot.secondsTrained);
  file.attribute("bestTestAccuracy", snapshot.bestTestAccuracy);
  file.attribute("parameters", joinNames(snapshot.parameters));
  file.attribute("optimiserStep", snapshot.optimiser.step);
  file.attribute("optimiserSlots", std::uint64_t{snapshot.optimiser.slots.size()});
  addProgress(file, snapshot.epochSoFar);
  addParameters(file, "", snapshot.parameters);
  for (std::size_t s = 0; s < snapshot.optimiser.slots.size(); ++s) {
    addParameters(file, fmt::format("optimiser/{}/", s), snapshot.optimiser.slots[s]);
  }
  std::vector<char> image = file.image(kUserBlockBytes);
  const std::string text = seal(image.data() + kUserBlockBytes, image.size() - kUserBlockBytes);
  std::copy(text.begin(), text.end(), image.begin());
  writeDurably(path, {image.data(), image.size()});
}

Snapshot readSnapshot(const fs::path& path) {
  verifySeal(path);
  const TensorFileReader file(path);
  Snapshot snapshot;
  snapshot.update = file.wholeAttribute("update");
  snapshot.epoch = file.wholeAttribute("epoch");
  snapshot.batchInEpoch = file.wholeAttribute("batchInEpoch");
  snapshot.secondsTrained = file.realAttribute("secondsTrained");
  snapshot.bestTestAccuracy = file.realAttribute("bestTestAccuracy");
  snapshot.epochSoFar = readProgress(file);
  const std::string names = file.textAttribute("parameters");
  snapshot.parameters = readParameters(file, "", names);
  snapshot.optimiser.step = file.wholeAttribute("optimiserStep");
  const std::uint64_t numSlots = file.wholeAttribute("optimiserSlots");
  for (std::uint64_t s = 0; s < numSlots; ++s) {
    snapshot.optimiser.slots.push_back(
        readParameters(file, fmt::format("optimiser/{}/", s), names));
  }
  return snapshot;
}

SnapshotStore::SnapshotStore(fs::path folder, std::uint32_t keep)
    : folder_(std::move(folder)), keep_(keep) {}

std::vector<fs::path> SnapshotStore::files() const {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("update-") && name.ends_with(".h5")) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end()); // the number is padded with zeros
  return found;
}

fs::path SnapshotStore::save(const Snapshot& snapshot) {
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path file = folder_ / fmt::format("update-{:012}.h5", snapshot.update);
  writeSnapshot(file, snapshot);
  const std::vector<fs::path> all = files();
  for (std::size_t i = 0; i + keep_ < all.size(); ++i) {
    fs::remove(all[i], error); // one left behind does no harm
  }
  return file;
}

std::optional<Snapshot> SnapshotStore::loadNewest(std::vector<std::string>& damaged) const {
  std::vector<fs::path> all = files();
  for (auto file = all.rbegin(); file != all.rend(); ++file) {
    try {
      return readSnapshot(*file);
    } catch (const IoError& error) {
      damaged.push_back(error.what());
    }
  }
  return std::nullopt;
}

} // namespace spillway
