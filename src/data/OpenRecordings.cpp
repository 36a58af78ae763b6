#include "data/DataSetParts.hpp"
#include "data/DvsGesture.hpp"
#include "data/FindFile.hpp"
#include "data/ImageSource.hpp"
#include "data/NMnist.hpp"
#include "data/ShdSource.hpp"
#include "network/UserError.hpp"

#include <algorithm>

namespace spillway {

namespace {

namespace fs = std::filesystem;

// What T steps span where data.stepMs is left open.
constexpr double kShdDurationUs = 1.0e6, kNMnistDurationUs = 0.3e6, kGestureDurationUs = 1.5e6;

Binning binningOf(const DataSettings& settings, double durationUs) {
  return {.numSteps = settings.numSteps,
          .stepUs =
              settings.stepMs > 0.0 ? 1000.0 * settings.stepMs : durationUs / settings.numSteps,
          .downsample = settings.downsample};
}

} // namespace

void openImages(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const ImageOptions options{
      .encoding = parseImageEncoding(settings.encoding.empty() ? "latency" : settings.encoding),
      .numSteps = settings.numSteps,
      .levels = settings.levels,
      .downsample = settings.downsample,
      .seed = settings.seed,
      .order = parsePixelOrder(settings.pixelOrder),
      .numClasses = settings.numClasses};
  const auto open = [&](const std::string& prefix) {
    return std::make_unique<ImageSource>(findFile(folder, prefix, "images", {"ubyte", "ubyte.gz"}),
                                         findFile(folder, prefix, "labels", {"ubyte", "ubyte.gz"}),
                                         options);
  };
  auto train = open("train"), test = open("t10k");
  if (train->grid().numInputs() != test->grid().numInputs()) {
    throw UserError(folder.string() + ": training and test images differ in size");
  }
  parts.grid = train->grid();
  parts.info.valued = train->valued();
  parts.info.numOutputs = settings.numClasses;
  parts.train = std::move(train);
  parts.test = std::move(test);
}

void openShd(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const Binning binning = binningOf(settings, kShdDurationUs);
  const std::uint32_t numClasses = settings.set == "ssc" ? kNumSscClasses : kNumShdClasses;
  const auto open = [&](const fs::path& file) {
    return std::make_unique<ShdSource>(file, binning, numClasses);
  };
  auto train = open(findFile(folder, "", "train", {".h5"}));
  auto test = open(findFile(folder, "", "test", {".h5"}));
  parts.grid = binnedGrid(kShdSensor, binning);
  parts.info.numOutputs = std::max(train->numClasses(), test->numClasses());
  parts.train = std::move(train);
  parts.test = std::move(test);
  // SSC has a file to choose settings by; data.validation holds out training samples instead.
  const auto valid = findFileIfAny(folder, "", "valid", {".h5"});
  if (valid && settings.numValidation == 0) {
    auto held = open(*valid);
    parts.info.numOutputs = std::max(parts.info.numOutputs, held->numClasses());
    parts.validation = std::move(held);
  }
}

void openNMnist(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const Binning binning = binningOf(settings, kNMnistDurationUs);
  const auto open = [&](const std::string& name, const std::string& listName) {
    return std::make_unique<NMnist>(
        fs::is_directory(folder / name)
            ? NMnist::fromFolders(folder / name, binning)
            : NMnist::fromList(findFile(folder, listName, "", {".txt"}), binning));
  };
  parts.grid = binnedGrid(kNMnistSensor, binning);
  parts.info.numOutputs = 10;
  parts.train = open("Train", "train");
  parts.test = open("Test", "test");
}

void openDvsGesture(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const Binning binning = binningOf(settings, kGestureDurationUs);
  parts.grid = binnedGrid(kDvsGestureSensor, binning);
  parts.info.numOutputs = kNumGestures;
  parts.train = std::make_unique<DvsGesture>(folder / "trials_to_train.txt", binning);
  parts.test = std::make_unique<DvsGesture>(folder / "trials_to_test.txt", binning);
}

} // namespace spillway
