#include "data/AddingTask.hpp"
#include "data/CopyTask.hpp"
#include "data/DataSetParts.hpp"
#include "data/PoissonPatterns.hpp"
#include "data/Randman.hpp"
#include "data/StoreRecall.hpp"

#include <algorithm>

namespace spillway {

namespace {

std::uint64_t streamOf(Split split) {
  return split == Split::Train ? 1 : 2;
}

std::uint32_t numPerClass(const DataSettings& settings, Split split) {
  return split == Split::Train ? settings.samplesPerClass
                               : std::max(1u, settings.samplesPerClass / 4);
}

std::unique_ptr<SampleSource> makeRandman(const DataSettings& settings, Split split) {
  return std::make_unique<Randman>(RandmanOptions{.numInputs = settings.numInputs,
                                                  .numClasses = settings.numClasses,
                                                  .numSteps = settings.numSteps,
                                                  .dimension = settings.manifoldDimension,
                                                  .smoothness = settings.smoothness,
                                                  .samplesPerClass = numPerClass(settings, split),
                                                  .seed = settings.seed,
                                                  .stream = streamOf(split)});
}

// PoissonOptions and StoreRecallOptions have the same fields.
template <typename Source, typename Options>
std::unique_ptr<SampleSource> makePatterns(const DataSettings& settings, Split split) {
  return std::make_unique<Source>(Options{.numInputs = settings.numInputs,
                                          .numClasses = settings.numClasses,
                                          .numSteps = settings.numSteps,
                                          .activity = settings.activity,
                                          .samplesPerClass = numPerClass(settings, split),
                                          .seed = settings.seed,
                                          .stream = streamOf(split)});
}

using MakeSource = std::unique_ptr<SampleSource> (*)(const DataSettings&, Split);

void fill(const DataSettings& settings, MakeSource make, SourceDataSetParts& parts) {
  parts.grid = {.width = settings.numInputs};
  parts.info.numOutputs = settings.numClasses;
  parts.train = make(settings, Split::Train);
  parts.test = make(settings, Split::Test);
}

} // namespace

void openRandman(const DataSettings& settings, SourceDataSetParts& parts) {
  fill(settings, makeRandman, parts);
}

void openPoisson(const DataSettings& settings, SourceDataSetParts& parts) {
  fill(settings, makePatterns<PoissonPatterns, PoissonOptions>, parts);
}

void openStoreRecall(const DataSettings& settings, SourceDataSetParts& parts) {
  fill(settings, makePatterns<StoreRecall, StoreRecallOptions>, parts);
}

void openCopy(const DataSettings& settings, SourceDataSetParts& parts) {
  const auto make = [&](Split split) {
    return std::make_unique<CopyTask>(
        CopyOptions{.numSymbols = settings.numClasses,
                    .numSteps = settings.numSteps,
                    .numSamples = settings.numClasses * numPerClass(settings, split),
                    .seed = settings.seed,
                    .stream = streamOf(split)});
  };
  parts.grid = {.width = settings.numClasses + 1};
  parts.info.numOutputs = settings.numClasses;
  parts.info.labelPerStep = true;
  parts.train = make(Split::Train);
  parts.test = make(Split::Test);
}

void openAdding(const DataSettings& settings, SourceDataSetParts& parts) {
  const auto make = [&](Split split) {
    return std::make_unique<AddingTask>(AddingOptions{.numSteps = settings.numSteps,
                                                      .numSamples = numPerClass(settings, split),
                                                      .seed = settings.seed,
                                                      .stream = streamOf(split)});
  };
  parts.grid = {.width = 2};
  parts.info.numOutputs = 1;
  parts.info.valued = true;
  parts.info.targets = true;
  parts.train = make(Split::Train);
  parts.test = make(Split::Test);
}

} // namespace spillway
