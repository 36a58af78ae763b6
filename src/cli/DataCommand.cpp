#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/Prepare.hpp"
#include "data/OpenDataSet.hpp"
#include "network/UserError.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace spillway {
namespace {

std::string nameOf(Split split) {
  return split == Split::Train ? "train" : split == Split::Validation ? "validation" : "test";
}

namespace po = boost::program_options;

const CommandText kText{"data", "[CONFIG] [options]",
                        "Describes the data set of a configuration, or draws some of its samples "
                        "as text:\ninputs from top to bottom, steps from left to right, darker "
                        "where more events fall.",
                        "spillway data configs/quickstart.cfg --preview 2"};

constexpr std::uint32_t kColumns = 80, kRows = 24;

// One sample as kRows lines: the share of (input, step) pairs of a cell that are events.
std::string draw(const EventBatch& batch) {
  const std::uint32_t columns = std::min(kColumns, batch.numSteps);
  const std::uint32_t rows = std::min(kRows, batch.numInputs);
  std::vector<double> cells(std::size_t{columns} * rows, 0.0);
  for (std::uint32_t t = 0; t < batch.numSteps; ++t) {
    const std::size_t column = std::uint64_t{t} * columns / batch.numSteps;
    for (std::uint32_t i = 0; i < batch.counts[t]; ++i) {
      const std::uint64_t id = batch.ids[std::size_t{t} * batch.maxEvents + i];
      cells[id * rows / batch.numInputs * columns + column] += 1.0;
    }
  }
  const double most = std::max(1.0, *std::max_element(cells.begin(), cells.end()));
  constexpr std::array<char, 6> kShades{' ', '.', ':', '+', '*', '#'};
  std::string picture;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto shade = static_cast<std::size_t>(std::min(5.0, cells[i] / most * 5.0 + 0.999));
    picture += cells[i] > 0.0 ? kShades[std::max<std::size_t>(shade, 1)] : kShades[0];
    picture += (i + 1) % columns == 0 ? "\n" : "";
  }
  return picture;
}

void describeSplit(const DataSet& data, Split split, std::uint32_t maxEvents, std::ostream& out) {
  const std::uint32_t numSamples = data.numSamples(split);
  std::uint64_t events = 0, dropped = 0;
  std::uint32_t looked = std::min<std::uint32_t>(numSamples, 100), mostPerStep = 0;
  for (std::uint32_t s = 0; s < looked; ++s) {
    const EventBatch batch = data.batch(split, std::array{s}, maxEvents, 0);
    dropped += batch.numDroppedEvents;
    for (const std::uint16_t count : batch.counts) {
      events += count;
      mostPerStep = std::max<std::uint32_t>(mostPerStep, count);
    }
  }
  const DataSetInfo info = data.info();
  out << fmt::format("{}: {} samples", nameOf(split), numSamples);
  if (looked > 0) {
    const double perSample = static_cast<double>(events) / looked;
    out << fmt::format("; of the first {}: {:.1f} events per sample, {:.3f} % of inputs per step, "
                       "at most {} in a step, {} dropped",
                       looked, perSample, 100.0 * perSample / info.numSteps / info.numInputs,
                       mostPerStep, dropped);
  }
  out << "\n";
}

} // namespace

ExitCode dataCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("list", "list the known data sets")(
      "preview", po::value<std::int64_t>()->default_value(0)->value_name("N"),
      "draw the first N training samples");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  if (given->contains("list")) {
    for (const DataSetDescription& set : knownDataSets()) {
      out << fmt::format("{:12} {}\n", set.name, set.summary);
    }
    return ExitCode::Done;
  }
  const std::uint32_t wanted = wholeNumber(*given, "preview", 0);
  const Config config = loadTarget(required(*given, "config", "data CONFIG [options] (or --list)"),
                                   values(*given, "set"), out);
  const Settings& settings = config.settings;
  const std::unique_ptr<DataSet> data =
      withPlaces(config.origins, [&] { return openDataSet(settings.data); });
  const DataSetInfo info = data->info();
  out << fmt::format("{}: {} inputs, {} {}, {} steps, a label per {}\n", info.name, info.numInputs,
                     info.numOutputs, "outputs", info.numSteps,
                     info.labelPerStep ? "step" : "sample");
  describeSplit(*data, Split::Train, settings.network.maxInputEvents, out);
  if (data->numSamples(Split::Validation) > 0) {
    describeSplit(*data, Split::Validation, settings.network.maxInputEvents, out);
  }
  describeSplit(*data, Split::Test, settings.network.maxInputEvents, out);
  for (std::uint32_t s = 0; s < std::min(wanted, data->numSamples(Split::Train)); ++s) {
    const EventBatch batch =
        data->batch(Split::Train, std::array{s}, settings.network.maxInputEvents, 0);
    out << fmt::format("\ntraining sample {}, label {}\n{}", s,
                       info.labelPerStep ? "per step" : std::to_string(batch.labels.at(0)),
                       draw(batch));
  }
  return ExitCode::Done;
}

} // namespace spillway
