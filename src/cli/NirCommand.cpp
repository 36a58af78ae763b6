#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/Prepare.hpp"
#include "cli/TrainedParameters.hpp"
#include "data/ParameterFile.hpp"
#include "network/UserError.hpp"
#include "nir/Export.hpp"
#include "nir/Import.hpp"
#include "nir/NirFile.hpp"
#include "train/DurableFile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

namespace spillway {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr const char* kUsage =
    "export RUN|CONFIG FILE.nir [options]\n       spillway nir import FILE.nir NAME [options]";

const CommandText kText{
    "nir", kUsage,
    "Exports a network to the Neuromorphic Intermediate Representation (HDF5), for snnTorch, "
    "Norse,\n"
    "SpikingJelly and the tools of neuromorphic chips, or imports one: NAME.cfg receives the "
    "network\n"
    "and NAME.h5 its weights. What corresponds to what, and what is refused: docs/nir.md.",
    "spillway nir export runs/quickstart quickstart.nir --dt 1e-3\n"
    "  spillway nir import quickstart.nir imported    # then include = imported.cfg, or\n"
    "  spillway eval imported.cfg --set data.set=randman"};

double chosenDt(const po::variables_map& given) {
  const double dt = given["dt"].as<double>();
  if (!std::isfinite(dt) || dt <= 0.0) {
    throw UserError(fmt::format("--dt {}: must be finite and above 0 seconds", dt));
  }
  return dt;
}

// One of the options' words, as the enumerator of its position.
template <class Enum>
Enum chosen(const po::variables_map& given, const std::string& name,
            const std::vector<std::string>& words) {
  const std::string word = given[name].as<std::string>();
  std::string legal;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) {
      return static_cast<Enum>(i);
    }
    legal += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  }
  throw UserError("--" + name + " " + word + ": must be " + legal);
}

// Throws UserError for an option that only the other of the two understands.
void requireOwnOptions(const po::variables_map& given, const std::string& other,
                       const std::vector<std::string>& itsOptions) {
  for (const std::string& name : itsOptions) {
    if (given.contains(name) && !given[name].defaulted()) {
      throw UserError("--" + name + " belongs to spillway nir " + other);
    }
  }
}

void printNotes(const std::vector<std::string>& notes, std::ostream& out) {
  for (const std::string& note : notes) {
    out << "note: " << note << "\n";
  }
}

// A run's configuration is complete; one that leaves sizes open needs its data set.
bool isComplete(const NetworkSpec& network) {
  return network.numInputs != 0 && network.readout.numOutputs != 0;
}

void exportTo(const po::variables_map& given, const fs::path& target, const fs::path& file,
              std::ostream& out) {
  nir::ExportOptions options;
  options.dt = chosenDt(given);
  options.integration = nir::integrationNamed(given["integration"].as<std::string>());
  options.gain = chosen<nir::Gain>(given, "gain", {"r", "weights", "step"});
  options.readout = chosen<nir::ReadoutNode>(given, "readout", {"li", "lif"});
  options.delays = given.contains("delays") ? nir::Delays::Nodes : nir::Delays::Absent;
  options.subtract = given.contains("subtract-as-zero") ? nir::SubtractingReset::AsZero
                                                        : nir::SubtractingReset::Refuse;
  Config config = loadTarget(target, values(given, "set"), out);
  const Settings& settings = config.settings;
  if (!isComplete(settings.network)) {
    openData(config);
  }
  const std::string snapshot =
      given.contains("snapshot") ? given["snapshot"].as<std::string>() : "";
  const TrainedParameters trained = trainedParameters(target, snapshot, settings, out);
  const nir::Exported exported = nir::exportNetwork(settings.network, trained.parameters, options);
  const std::vector<char> bytes = nir::toFile(exported.graph);
  writeDurably(file, std::string_view(bytes.data(), bytes.size()));
  printNotes(exported.notes, out);
  out << fmt::format("wrote {}: {} nodes, weights after update {}\n", file.string(),
                     exported.graph.nodes.size(), trained.update);
}

// The sections that describe the network, out of a whole configuration.
std::string networkSections(const Settings& settings) {
  std::istringstream lines(formatConfig(settings));
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      inside = line == "[network]" || line == "[readout]" || line.starts_with("[layer");
    }
    out += inside ? line + "\n" : "";
  }
  return out;
}

void importFrom(const po::variables_map& given, const fs::path& file, const fs::path& name,
                std::ostream& out) {
  nir::ImportOptions options;
  if (!given["dt"].defaulted()) {
    options.dt = chosenDt(given);
  }
  if (!given["integration"].defaulted()) {
    options.integration = nir::integrationNamed(given["integration"].as<std::string>());
  }
  const nir::Imported imported = nir::importNetwork(nir::readFile(file), options);
  const fs::path config = name.string() + ".cfg", weights = name.string() + ".h5";
  for (const fs::path& made : {config, weights}) {
    if (fs::exists(made) && !given.contains("force")) {
      throw UserError(made.string() + " exists; choose another name, or --force to replace it");
    }
  }
  Settings settings;
  settings.network = imported.network;
  Hdf5Writer writer;
  writeParameters(writer, imported.parameters);
  const std::vector<char> bytes = writer.image();
  writeDurably(weights, std::string_view(bytes.data(), bytes.size()));
  writeDurably(config,
               fmt::format("# The network of {}.\n\n[train]\nweights = {}\n\n{}", file.string(),
                           weights.filename().string(), networkSections(settings)));
  printNotes(imported.notes, out);
  out << fmt::format("wrote {} and {}: {} inputs, {} layer(s), {} outputs\n", config.string(),
                     weights.string(), imported.network.numInputs, imported.network.layers.size(),
                     imported.network.readout.numOutputs);
}

} // namespace

ExitCode nirCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()(
      "dt", po::value<double>()->default_value(1e-4, "1e-4")->value_name("SECONDS"),
      "seconds a step lasts; an import takes the file's own where it has one and this is not "
      "given")(
      "integration", po::value<std::string>()->default_value("euler")->value_name("euler|exact"),
      "how the other tool makes steps: euler (decay 1 - dt/tau) or exact (exp(-dt/tau)); an "
      "import as with --dt")(
      "gain", po::value<std::string>()->default_value("r")->value_name("r|weights|step"),
      "export: kappa goes into r (weights stay as they are), into the weights (r = 1), or with "
      "1 - alpha into them (step: r = tau/dt)")(
      "readout", po::value<std::string>()->default_value("li")->value_name("li|lif"),
      "export: leaky integrators as li, or as lif that never fire, for tools without LI")(
      "delays", "export: write the step between layers as Delay nodes")(
      "subtract-as-zero", "export: write reset = subtract as a reset to zero, another network")(
      "snapshot", po::value<std::string>()->value_name("FILE"),
      "export: a snapshot file [the newest of RUN]")("force",
                                                     "import: replace NAME.cfg and NAME.h5");
  arguments.addSet();
  arguments.positional("words", 3);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const std::vector<std::string> named = values(*given, "words");
  if (named.size() != 3 || (named[0] != "export" && named[0] != "import")) {
    throw UserError(std::string("usage: spillway nir ") + kUsage);
  }
  if (named[0] == "export") {
    requireOwnOptions(*given, "import", {"force"});
    exportTo(*given, named[1], named[2], out);
  } else {
    requireOwnOptions(*given, "export",
                      {"gain", "readout", "delays", "subtract-as-zero", "snapshot", "set"});
    importFrom(*given, named[1], named[2], out);
  }
  return ExitCode::Done;
}

} // namespace spillway
