#include "train/Snapshot.hpp"

#include "data/ParameterFile.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>

namespace spillway {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kUserBlockBytes = 512;

// The user block's text; zeros follow.
std::string seal(const char* content, std::size_t size) {
  return fmt::format("spillway snapshot 1\nxxh3-64 {:016x}\nbytes {}\n", XXH3_64bits(content, size),
                     size);
}

std::vector<std::uint64_t> countsOf(const RunningMean& mean) {
  std::vector<std::uint64_t> counts{mean.numCorrect, mean.numLabels, mean.numSamples,
                                    mean.numDroppedInputs};
  for (const LayerActivity& layer : mean.layers) {
    counts.insert(counts.end(), {layer.numSpikes, layer.numGradients, layer.numDropped});
  }
  return counts;
}

std::uint64_t readWholeNumber(const Hdf5Reader& file, const std::string& name) {
  return static_cast<std::uint64_t>(file.read<std::int64_t>(name).values.at(0));
}

double readNumber(const Hdf5Reader& file, const std::string& name) {
  return file.read<double>(name).values.at(0);
}

void writeMean(Hdf5Writer& file, const std::string& prefix, const RunningMean& mean) {
  file.write(prefix + "LossSum", mean.lossSum);
  file.write(prefix + "LossWeight", mean.lossWeight);
  const std::vector<std::uint64_t> counts = countsOf(mean);
  file.write<std::uint64_t>(prefix + "Counts", {counts.size()}, counts);
}

RunningMean readMean(const Hdf5Reader& file, const std::string& prefix) {
  RunningMean mean;
  mean.lossSum = readNumber(file, prefix + "LossSum");
  mean.lossWeight = readNumber(file, prefix + "LossWeight");
  const auto read = file.read<std::int64_t>(prefix + "Counts").values;
  const std::vector<std::uint64_t> counts(read.begin(), read.end());
  mean.numCorrect = counts.at(0);
  mean.numLabels = counts.at(1);
  mean.numSamples = counts.at(2);
  mean.numDroppedInputs = counts.at(3);
  for (std::size_t i = 4; i + 2 < counts.size(); i += 3) {
    mean.layers.push_back({counts[i], counts[i + 1], counts[i + 2]});
  }
  return mean;
}

void writeRecords(Hdf5Writer& file, const Snapshot& snapshot) {
  writeMean(file, "run/epoch", snapshot.epochSoFar);
  writeMean(file, "run/endedEpoch", snapshot.endedEpoch);
  if (snapshot.validation) {
    writeMean(file, "run/validation", *snapshot.validation);
  }
  if (snapshot.test) {
    writeMean(file, "run/test", *snapshot.test);
  }
  writeMean(file, "run/record", snapshot.sinceRecord);
  file.write("run/recordSeconds", snapshot.secondsSinceRecord);
  file.write("run/numRecords", snapshot.numRecords);
  file.write("run/bestTestAccuracy", snapshot.bestTestAccuracy);
  file.write("run/secondsTrained", snapshot.secondsTrained);
  file.write("run/reduceSeconds", snapshot.reduceSeconds);
  file.write("run/remoteTransfers", snapshot.transfers.numTransfers);
  file.write("run/remoteStalls", snapshot.transfers.numStalls);
  file.write("run/remoteStallSeconds", snapshot.transfers.stallSeconds);
  file.write("run/peakMemoryBytes", snapshot.peakMemoryBytes);
}

void readRecords(const Hdf5Reader& file, Snapshot& snapshot) {
  snapshot.epochSoFar = readMean(file, "run/epoch");
  snapshot.bestTestAccuracy = readNumber(file, "run/bestTestAccuracy");
  snapshot.secondsTrained = readNumber(file, "run/secondsTrained");
  if (!file.has("run/numRecords")) { // the first snapshots had no more
    snapshot.numRecords = UINT64_MAX;
    return;
  }
  snapshot.endedEpoch = readMean(file, "run/endedEpoch");
  if (file.has("run/validationCounts")) {
    snapshot.validation = readMean(file, "run/validation");
  }
  if (file.has("run/testCounts")) {
    snapshot.test = readMean(file, "run/test");
  }
  snapshot.sinceRecord = readMean(file, "run/record");
  snapshot.secondsSinceRecord = readNumber(file, "run/recordSeconds");
  snapshot.numRecords = readWholeNumber(file, "run/numRecords");
  snapshot.reduceSeconds = readNumber(file, "run/reduceSeconds");
  snapshot.transfers = {.numTransfers = readWholeNumber(file, "run/remoteTransfers"),
                        .numStalls = readWholeNumber(file, "run/remoteStalls"),
                        .stallSeconds = readNumber(file, "run/remoteStallSeconds")};
  snapshot.peakMemoryBytes = readWholeNumber(file, "run/peakMemoryBytes");
}

std::string slotPrefix(std::uint64_t slot) {
  return fmt::format("optimiser/slot{}/", slot);
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
  Hdf5Writer file;
  file.write("run/update", snapshot.update);
  file.write("run/epoch", snapshot.epoch);
  file.write("run/batchInEpoch", snapshot.batchInEpoch);
  writeRecords(file, snapshot);
  writeParameters(file, snapshot.parameters);
  file.write("optimiser/step", snapshot.optimiser.step);
  file.write("optimiser/numSlots", std::uint64_t{snapshot.optimiser.slots.size()});
  for (std::size_t s = 0; s < snapshot.optimiser.slots.size(); ++s) {
    writeParameters(file, snapshot.optimiser.slots[s], slotPrefix(s));
  }
  if (!snapshot.sequence.empty()) {
    const SequenceState& sequence = snapshot.sequence;
    file.write<float>("sequence/states", {sequence.states.size()}, sequence.states);
    file.write<std::uint8_t>("sequence/events", {sequence.events.size()}, sequence.events);
  }
  const std::vector<char> image = file.image();
  std::string content = seal(image.data(), image.size());
  content.resize(kUserBlockBytes, '\0');
  content.append(image.data(), image.size());
  writeDurably(path, content);
}

Snapshot readSnapshot(const fs::path& path, const NetworkSpec& network) {
  verifySeal(path);
  const Hdf5Reader file(path);
  Snapshot snapshot;
  snapshot.update = readWholeNumber(file, "run/update");
  snapshot.epoch = readWholeNumber(file, "run/epoch");
  snapshot.batchInEpoch = readWholeNumber(file, "run/batchInEpoch");
  readRecords(file, snapshot);
  snapshot.parameters = readParameters(file, network);
  snapshot.optimiser.step = readWholeNumber(file, "optimiser/step");
  const std::uint64_t numSlots = readWholeNumber(file, "optimiser/numSlots");
  for (std::uint64_t s = 0; s < numSlots; ++s) {
    snapshot.optimiser.slots.push_back(readParameters(file, network, slotPrefix(s)));
  }
  if (file.has("sequence/states")) {
    snapshot.sequence.states = file.read<float>("sequence/states").values;
    const auto events = file.read<std::int64_t>("sequence/events").values;
    snapshot.sequence.events.assign(events.begin(), events.end());
  }
  return snapshot;
}

SnapshotStore::SnapshotStore(fs::path folder, std::uint32_t keep)
    : folder_(std::move(folder)), keep_(keep) {}

std::vector<fs::path> SnapshotStore::files() const {
  std::vector<fs::path> found;
  std::error_code error;
  const fs::directory_iterator entries(folder_, error);
  if (error && error != std::errc::no_such_file_or_directory) { // nobody knows what it holds
    throw IoError("cannot look into " + folder_.string() + ": " + error.message());
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("update-") && name.ends_with(".h5")) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end()); // the number is padded with zeros
  return found;
}

std::uint64_t SnapshotStore::newestUpdate() const {
  const std::vector<fs::path> all = files();
  return all.empty() ? 0 : std::strtoull(all.back().filename().c_str() + 7, nullptr, 10);
}

fs::path SnapshotStore::save(const Snapshot& snapshot) {
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path file = folder_ / fmt::format("update-{:012}.h5", snapshot.update);
  writeSnapshot(file, snapshot);
  const std::vector<fs::path> all = files();
  const auto later = std::upper_bound(all.begin(), all.end(), file);
  for (auto damaged = later; damaged != all.end(); ++damaged) { // or the run would stand there
    fs::rename(*damaged, damaged->string() + ".damaged", error);
  }
  for (auto old = all.begin(); later - old > std::ptrdiff_t{keep_}; ++old) {
    fs::remove(*old, error); // one left behind does no harm
  }
  return file;
}

std::optional<Snapshot> SnapshotStore::loadNewest(const NetworkSpec& network,
                                                  std::vector<std::string>& damaged) const {
  std::vector<fs::path> all = files();
  for (auto file = all.rbegin(); file != all.rend(); ++file) {
    try {
      return readSnapshot(*file, network);
    } catch (const IoError& error) { // an intact one that does not fit is no damage
      damaged.push_back(error.what());
    }
  }
  return std::nullopt;
}

} // namespace spillway
