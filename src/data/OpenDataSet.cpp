#include "data/OpenDataSet.hpp"

#include "data/DataSetParts.hpp"
#include "network/SettingError.hpp"
#include "network/Validate.hpp"

namespace spillway {

namespace {

struct Entry {
  DataSetDescription description;
  void (*open)(const DataSettings&, SourceDataSetParts&);
};

std::vector<Entry> entries() {
  return {
      {{"randman", "synthetic: smooth random manifolds, one spike per input, timing alone counts"},
       openRandman},
      {{"poisson", "synthetic: one rate per class and input, spikes drawn with a set activity"},
       openPoisson},
      {{"recall", "synthetic: a cue in the first steps is to be told at the last"},
       openStoreRecall},
      {{"copy", "synthetic: symbols shown at the start are to be told in order at the end"},
       openCopy},
      {{"adding", "synthetic: the sum of the two marked numbers of a sequence is the target"},
       openAdding},
      {{"mnist", "handwritten digits; a folder with the four IDX files, plain or gzip"},
       openImages},
      {{"fashion-mnist", "clothing; a folder with the four IDX files, plain or gzip"}, openImages},
      {{"shd",
        "spoken digits as spikes, or files in their layout; a folder with *train*.h5, *test*.h5"},
       openShd},
      {{"ssc", "spoken commands as spikes; a folder with *train*.h5 and *test*.h5"}, openShd},
      {{"nmnist",
        "digits seen by an event camera; a folder with Train/ and Test/, or lists and .bs2"},
       openNMnist},
      {{"dvsgesture",
        "DVS128 Gesture as published; a folder with trials_to_*.txt and .aedat files"},
       openDvsGesture},
      {{"qtdb", "ECG with a class for every step; a folder with *train*.mat and *test*.mat"},
       openQtdb},
      {{"raster", "your own spikes; a folder with train.npz and test.npz, or {train,test}_{spikes,"
                  "labels}.npy"},
       openRaster},
      {{"text",
        "a corpus, one word per step, the next word as label; a folder with *train*, *test*"},
       openText},
  };
}

} // namespace

std::vector<DataSetDescription> knownDataSets() {
  std::vector<DataSetDescription> descriptions;
  for (const Entry& entry : entries()) {
    descriptions.push_back(entry.description);
  }
  return descriptions;
}

std::unique_ptr<DataSet> openDataSet(const DataSettings& settings) {
  std::string names;
  for (const Entry& entry : entries()) {
    if (entry.description.name != settings.set) {
      names += (names.empty() ? "" : ", ") + entry.description.name;
      continue;
    }
    SourceDataSetParts parts;
    parts.info.name = settings.set;
    parts.info.numSteps = settings.numSteps;
    parts.seed = settings.seed;
    parts.maxTrain = settings.maxTrain;
    parts.maxTest = settings.maxTest;
    parts.maxBatchBytes = settings.batchMemoryBytes;
    parts.numValidation = settings.numValidation;
    parts.augmentation = {.jitterSteps = settings.jitterSteps,
                          .shiftInputs = settings.shiftInputs,
                          .dropFraction = settings.dropFraction,
                          .stretch = settings.stretch,
                          .shiftSteps = settings.shiftSteps};
    parts.delays = {settings.numDelays, settings.delaySteps};
    entry.open(settings, parts);
    const std::uint64_t numInputs = std::uint64_t{parts.grid.numInputs()} * settings.numDelays;
    if (numInputs > kMaxIds) {
      throw SettingError("data.delays", "data.delays = " + std::to_string(settings.numDelays) +
                                            " of " + std::to_string(parts.grid.numInputs()) +
                                            " inputs make " + std::to_string(numInputs) +
                                            "; there must be at most " + std::to_string(kMaxIds));
    }
    parts.info.numInputs = static_cast<std::uint32_t>(numInputs);
    return std::make_unique<SourceDataSet>(std::move(parts));
  }
  throw SettingError("data.set",
                     "data.set = " + settings.set + " is not known; it must be one of " + names);
}

} // namespace spillway
