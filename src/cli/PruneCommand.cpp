#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "cli/SparsityText.hpp"
#include "cli/TrainedParameters.hpp"
#include "data/ParameterFile.hpp"
#include "data/Streams.hpp"
#include "network/PruneUnits.hpp"
#include "network/UserError.hpp"
#include "parallel/OneRank.hpp"
#include "train/AccuracyText.hpp"
#include "train/DurableFile.hpp"
#include "train/MakeBatch.hpp"
#include "train/SharedBatches.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace spillway {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const CommandText kText{
    "prune", "RUN|CONFIG [options]",
    "Takes the least active units out of every gated layer of a trained network and evaluates what "
    "is\nleft: loss, accuracy or perplexity beside multiply-adds. Activity is counted on training "
    "batches.",
    "spillway prune runs/rows --fraction 0.1,0.2,0.4"};

struct Fraction {
  std::string word; // as it was given
  double value = 0.0;
};

std::vector<Fraction> fractionsOf(const std::string& list) {
  std::vector<Fraction> fractions;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || !(value > 0.0 && value < 1.0)) {
      throw UserError("--fraction " + list + ": '" + word +
                      "' must be a number above 0 and below 1");
    }
    fractions.push_back({word, value});
  }
  if (fractions.empty()) {
    throw UserError("--fraction: needs a number above 0 and below 1, or several, such as 0.1,0.2");
  }
  return fractions;
}

// By layer, how often each unit fired in the first batches of the training data.
std::vector<std::vector<std::uint64_t>> countEvents(Settings settings, const Origins& origins,
                                                    const DataSet& data,
                                                    const ParameterSet& parameters,
                                                    std::uint32_t numBatches) {
  settings.checkpoint = {}; // every list is kept
  const std::unique_ptr<TrainingSession> session =
      openSession(settings, origins, Tracing::On).session;
  session->setParameters(parameters);
  std::vector<std::vector<std::uint64_t>> counts;
  for (const LayerSpec& layer : settings.network.layers) {
    counts.emplace_back(layer.size);
  }
  const std::uint32_t batchSize = settings.train.batchSize;
  const std::uint32_t length = data.numSamples(Split::Train) / batchSize;
  const bool carries = carriesState(settings, data);
  std::vector<std::uint32_t> order =
      streamedOrder(data.numSamples(Split::Train), batchSize, length);
  if (!carries) {
    std::iota(order.begin(), order.end(), 0u);
  }
  for (std::uint32_t k = 0; k < std::min(numBatches, length); ++k) {
    EventBatch batch =
        makeBatch(settings, data, Split::Train,
                  std::span(order).subspan(std::size_t{k} * batchSize, batchSize), 0);
    batch.continues = carries && k > 0;
    session->evaluate(batch);
    const std::optional<DeviceTrace> trace = session->trace();
    for (std::size_t l = 0; l < counts.size(); ++l) {
      const std::vector<std::uint8_t>& spikes = trace->layers[l].spikes;
      for (std::size_t i = 0; i < spikes.size(); ++i) {
        counts[l][i % counts[l].size()] += spikes[i];
      }
    }
  }
  return counts;
}

std::string evaluated(const Settings& settings, const Origins& origins, const DataSet& data,
                      const ParameterSet& parameters) {
  const std::unique_ptr<TrainingSession> session = openSession(settings, origins).session;
  session->setParameters(parameters);
  OneRank alone;
  const RunningMean mean =
      *SharedBatches(settings, *session, data, alone).evaluate(Split::Test, [] { return false; });
  std::string text = fmt::format("loss {:.5f}{}", mean.loss(), accuracyText(mean, ", "));
  if (settings.network.readsWords()) {
    text += fmt::format(", perplexity {:.2f}", std::exp(mean.loss()));
  }
  return text + "\n" + sparsityText(settings, mean);
}

} // namespace

ExitCode pruneCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("snapshot", po::value<std::string>()->value_name("FILE"),
                                    "a snapshot file [the newest of RUN]")(
      "fraction", po::value<std::string>()->default_value("0.1")->value_name("SHARE,..."),
      "shares of each layer's units to take out, one after the other, such as 0.1,0.2")(
      "batches", po::value<std::int64_t>()->default_value(20)->value_name("N"),
      "training batches counted over")(
      "out", po::value<std::string>()->value_name("FILE"),
      "write the weights left by the last fraction, for train.weights");
  arguments.addSet();
  arguments.positional("run", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const fs::path run = required(*given, "run", "prune RUN|CONFIG [options]");
  const std::vector<Fraction> fractions = fractionsOf((*given)["fraction"].as<std::string>());
  const std::uint32_t numBatches = wholeNumber(*given, "batches", 1);
  Config config = loadTarget(run, values(*given, "set"), out);
  const std::unique_ptr<DataSet> data = openData(config);
  const Settings& settings = config.settings;
  if (!settings.network.isGated()) {
    throw UserError("prune: only gated layers are pruned, those of the kinds egru and gru");
  }
  const std::string file =
      given->contains("snapshot") ? (*given)["snapshot"].as<std::string>() : "";
  const TrainedParameters trained = trainedParameters(run, file, settings, out);
  const auto counts = countEvents(settings, config.origins, *data, trained.parameters, numBatches);
  out << "all units: " << evaluated(settings, config.origins, *data, trained.parameters);
  PrunedNetwork pruned;
  for (const auto& [word, fraction] : fractions) {
    std::vector<std::vector<std::uint32_t>> kept;
    for (const std::vector<std::uint64_t>& layer : counts) {
      kept.push_back(mostActive(layer, fraction));
    }
    pruned = pruneUnits(settings.network, trained.parameters, kept);
    Settings smaller = settings;
    smaller.network = pruned.network;
    out << "without " << word
        << " of them: " << evaluated(smaller, config.origins, *data, pruned.parameters);
  }
  if (given->contains("out")) {
    Hdf5Writer writer;
    writeParameters(writer, pruned.parameters);
    const std::vector<char> image = writer.image();
    writeDurably((*given)["out"].as<std::string>(), {image.data(), image.size()});
  }
  return ExitCode::Done;
}

} // namespace spillway
