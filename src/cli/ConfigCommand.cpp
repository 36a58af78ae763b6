#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/Prepare.hpp"
#include "cli/SameRun.hpp"
#include "config/Describe.hpp"
#include "config/Nearest.hpp"
#include "network/UserError.hpp"
#include "train/Fingerprint.hpp"
#include "train/SharedBatches.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

namespace po = boost::program_options;

void checkAndPrint(const po::variables_map& given, std::ostream& out) {
  std::ostream quiet(nullptr);
  Config config =
      loadTarget(required(given, "config", "config CONFIG [options]"), values(given, "set"), quiet);
  withPlaces(config.origins,
             [&] { requireWorkForAll(config.settings, wholeNumber(given, "ranks", 1)); });
  std::vector<std::string> notes = config.notes;
  for (std::string& note : checkTrainable(config)) {
    notes.push_back(std::move(note));
  }
  for (const std::string& note : notes) {
    out << "# note: " << note << "\n"; // what is printed stays a configuration
  }
  const std::string text = formatConfig(config.settings);
  if (given.contains("continues")) {
    const std::unique_ptr<DataSet> data = openTrainingData(config);
    requireContinues(config, *data, given["continues"].as<std::string>());
    requireSameData(describeData(*data), given["continues"].as<std::string>());
  }
  out << text;
}

void explain(const std::string& section, const po::variables_map& given, std::ostream& out) {
  for (const char* option : {"set", "continues"}) {
    if (given.contains(option)) {
      throw UserError(std::string("--") + option + " needs a CONFIG");
    }
  }
  const std::string text = describeKeys(section);
  if (text.empty()) {
    const std::vector<std::string> names = sectionNames();
    const auto guess = nearest(section, names);
    throw UserError(fmt::format("--section {}: must be one of {}{}", section,
                                fmt::join(names, ", "),
                                guess ? "; did you mean " + *guess + "?" : ""));
  }
  out << text;
}

} // namespace

ExitCode configCommand(const Words& words, std::ostream& out) {
  Arguments arguments({"config", "[CONFIG] [options]",
                       "Without a file: every key with its default, unit, range and meaning.\n"
                       "With one: checks it as `train` would (against the data too, where they are "
                       "there) and prints\n"
                       "every key as it will be used.",
                       "spillway config --section checkpoint\n"
                       "  spillway config configs/quickstart.cfg --set train.epochs=3"});
  arguments.options().add_options()(
      "section", po::value<std::string>()->default_value("")->value_name("NAME"),
      "only the keys of one section")("continues", po::value<std::string>()->value_name("RUN"),
                                      "check too that CONFIG could go on with this run")(
      "ranks", po::value<std::int64_t>()->default_value(1)->value_name("N"),
      "check too that a batch has work for so many ranks")("markdown",
                                                           "print docs/configuration.md");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  if (given->contains("markdown")) {
    out << configurationPage();
    return ExitCode::Done;
  }
  const std::string section = (*given)["section"].as<std::string>();
  if (!given->contains("config")) {
    explain(section, *given, out);
  } else if (section.empty()) {
    checkAndPrint(*given, out);
  } else {
    throw UserError("--section " + section +
                    ": a CONFIG is shown as a whole; leave one of them out");
  }
  return ExitCode::Done;
}

} // namespace spillway
