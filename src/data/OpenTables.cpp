#include "data/DataSetParts.hpp"
#include "data/FindFile.hpp"
#include "data/Qtdb.hpp"
#include "data/RasterSource.hpp"
#include "data/TextCorpus.hpp"
#include "network/UserError.hpp"

namespace spillway {

namespace {

namespace fs = std::filesystem;

void requireEqual(const fs::path& folder, const std::string& what, std::uint32_t train,
                  std::uint32_t test) {
  if (train != test) {
    throw UserError(folder.string() + ": the training data has " + std::to_string(train) + " " +
                    what + ", the test data " + std::to_string(test));
  }
}

} // namespace

void openQtdb(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const Unlabelled unlabelled =
      settings.unlabelled == "first" ? Unlabelled::FirstClass : Unlabelled::Skipped;
  const auto open = [&](const char* part) {
    return std::make_unique<Qtdb>(findFile(folder, "", part, {".mat"}), settings.numSteps,
                                  unlabelled);
  };
  auto train = open("train"), test = open("test");
  requireEqual(folder, "inputs", train->grid().numInputs(), test->grid().numInputs());
  requireEqual(folder, "classes", train->numClasses(), test->numClasses());
  parts.grid = train->grid();
  parts.info.numOutputs = train->numClasses();
  parts.info.labelPerStep = true;
  parts.train = std::move(train);
  parts.test = std::move(test);
}

void openRaster(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  auto train =
      std::make_unique<RasterSource>(RasterSource::open(folder, "train", settings.numSteps));
  auto test = std::make_unique<RasterSource>(RasterSource::open(folder, "test", settings.numSteps));
  requireEqual(folder, "inputs", train->grid().numInputs(), test->grid().numInputs());
  requireEqual(folder, "labels per step", train->labelPerStep() ? 1 : 0,
               test->labelPerStep() ? 1 : 0);
  test->requireLabelsBelow(train->numClasses());
  parts.grid = train->grid();
  parts.info.numOutputs = train->numClasses();
  parts.info.labelPerStep = train->labelPerStep();
  parts.train = std::move(train);
  parts.test = std::move(test);
}

void openText(const DataSettings& settings, SourceDataSetParts& parts) {
  const fs::path folder = dataFolder(settings);
  const std::vector<std::string> endings = {".txt", ".tokens"};
  const fs::path train = findFile(folder, "", "train", endings);
  const Vocabulary vocabulary = Vocabulary::ofFile(train);
  const auto corpus = [&](const fs::path& file) {
    return std::make_unique<TextCorpus>(vocabulary, file, settings.numSteps);
  };
  parts.grid = {.width = static_cast<std::uint32_t>(vocabulary.size())};
  parts.info.numOutputs = parts.grid.width;
  parts.info.labelPerStep = true;
  parts.info.sequential = true;
  parts.train = corpus(train);
  parts.test = corpus(findFile(folder, "", "test", endings));
  if (const auto valid = findFileIfAny(folder, "", "valid", endings)) {
    parts.validation = corpus(*valid);
  }
}

} // namespace spillway
