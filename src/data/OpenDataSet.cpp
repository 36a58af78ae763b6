#include "data/OpenDataSet.hpp"

#include "data/PoissonPatterns.hpp"
#include "data/Randman.hpp"
#include "data/SourceDataSet.hpp"
#include "data/StoreRecall.hpp"
#include "network/UserError.hpp"

#include <algorithm>

namespace spillway {

namespace {

constexpr std::uint64_t kTrainStream = 1, kTestStream = 2;

std::uint32_t numPerClass(const DataSettings& settings, Split split) {
  return split == Split::Train ? settings.samplesPerClass
                               : std::max(1u, settings.samplesPerClass / 4);
}

std::unique_ptr<SampleSource> makeRandman(const DataSettings& settings, Split split) {
  return std::make_unique<Randman>(
      RandmanOptions{.numInputs = settings.numInputs,
                     .numClasses = settings.numClasses,
                     .numSteps = settings.numSteps,
                     .dimension = settings.manifoldDimension,
                     .smoothness = settings.smoothness,
                     .samplesPerClass = numPerClass(settings, split),
                     .seed = settings.seed,
                     .stream = split == Split::Train ? kTrainStream : kTestStream});
}

// PoissonOptions and StoreRecallOptions have the same fields.
template <typename Source, typename Options>
std::unique_ptr<SampleSource> makePatterns(const DataSettings& settings, Split split) {
  return std::make_unique<Source>(
      Options{.numInputs = settings.numInputs,
              .numClasses = settings.numClasses,
              .numSteps = settings.numSteps,
              .activity = settings.activity,
              .samplesPerClass = numPerClass(settings, split),
              .seed = settings.seed,
              .stream = split == Split::Train ? kTrainStream : kTestStream});
}

using MakeSource = std::unique_ptr<SampleSource> (*)(const DataSettings&, Split);

void fillSynthetic(const DataSettings& settings, MakeSource make, SourceDataSetParts& parts) {
  parts.grid = {.width = settings.numInputs};
  parts.info.numOutputs = settings.numClasses;
  parts.train = make(settings, Split::Train);
  parts.test = make(settings, Split::Test);
}

void openRandman(const DataSettings& settings, SourceDataSetParts& parts) {
  fillSynthetic(settings, makeRandman, parts);
}

void openPoisson(const DataSettings& settings, SourceDataSetParts& parts) {
  fillSynthetic(settings, makePatterns<PoissonPatterns, PoissonOptions>, parts);
}

void openStoreRecall(const DataSettings& settings, SourceDataSetParts& parts) {
  fillSynthetic(settings, makePatterns<StoreRecall, StoreRecallOptions>, parts);
}

struct Entry {
  DataSetDescription description;
  // Fills in grid, outputs, label kind and both sources.
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
    parts.augmentation = {settings.jitterSteps, settings.shiftInputs, settings.dropFraction};
    entry.open(settings, parts);
    parts.info.numInputs = parts.grid.numInputs();
    return std::make_unique<SourceDataSet>(std::move(parts));
  }
  throw UserError("data.set = " + settings.set + " is not known; it must be one of " + names);
}

} // namespace spillway
