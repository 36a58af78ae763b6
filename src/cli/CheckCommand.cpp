#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/DumpFile.hpp"
#include "cli/OpenSession.hpp"
#include "cli/Prepare.hpp"
#include "network/UserError.hpp"
#include "reference/GradientCheck.hpp"
#include "reference/Reference.hpp"
#include "train/IoError.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

namespace spillway {
namespace {

namespace po = boost::program_options;

const CommandText kText{
    "check", "CONFIG [options]",
    "Runs one forward and backward pass on the device and compares loss and gradients with the\n"
    "reference, which is dense, in double precision, and shares no code with the device. Weights\n"
    "and batch may come from HDF5 files of your own; they and all that device and reference made\n"
    "of them, spikes and states included, can be written to one (layout: docs/data-formats.md).\n"
    "The exit code is 1 where the two differ by more than the tolerance.",
    "spillway check configs/quickstart.cfg --dump out.h5\n"
    "  spillway check configs/quickstart.cfg --weights out.h5 --batch out.h5"};

// Throws IoError, before the work rather than after it, where the file cannot be made.
void requireFolderOf(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (::access(folder.c_str(), W_OK) != 0) {
    throwErrno("write", file);
  }
}

// Prints one line per tensor; whether all are within the tolerance.
bool compare(const CheckCase& given, const CheckOutcome& outcome, double tolerance,
             std::ostream& out) {
  const BatchResult& device = outcome.result;
  const reference::ReferenceResult& expected = *outcome.reference;
  const double lossError =
      std::abs(device.loss - expected.loss) / std::max(std::abs(expected.loss), 1e-12);
  out << fmt::format("loss {:.9g}, reference {:.9g}, relative error {:.2e}\n", device.loss,
                     expected.loss, lossError);
  bool good = lossError <= tolerance;
  for (const reference::TensorError& error :
       reference::compareGradients(outcome.gradients, expected.gradients)) {
    out << fmt::format("{:24} relative error {:.2e}, largest difference {:.2e} of {:.2e}\n",
                       error.name, error.relativeError, error.largestError, error.largestReference);
    good = good && error.relativeError <= tolerance;
  }
  double margin = std::numeric_limits<double>::infinity();
  for (const reference::SampleTrace& sample : expected.samples) {
    margin = std::min(margin, sample.thresholdMargin);
  }
  out << fmt::format("{} steps, {} samples; the nearest any state comes to a threshold is {:.2e}\n",
                     given.batch.numSteps, given.batch.numSamples, margin);
  out << (good ? "check passed" : "check FAILED") << fmt::format(" (tolerance {:g})\n", tolerance);
  return good;
}

} // namespace

ExitCode checkCommand(const Words& words, std::ostream& out) {
  Arguments arguments(kText);
  arguments.options().add_options()("weights", po::value<std::string>()->value_name("FILE"),
                                    "parameters in HDF5, a snapshot for instance [those "
                                    "training begins with]")(
      "batch", po::value<std::string>()->value_name("FILE"),
      "a batch in HDF5 [the first training samples]")(
      "dump", po::value<std::string>()->value_name("FILE"),
      "write weights, batch, loss, gradients, spikes and states to HDF5; the device's spikes and "
      "states need checkpoint.strategy = base, which keeps them all, or auto without a "
      "memoryBudget")(
      "tolerance", po::value<double>()->default_value(1e-3, "1e-3")->value_name("SHARE"),
      "largest relative error of loss and of any gradient tensor")(
      "no-reference", "do not run the reference (long sequences, large networks)");
  arguments.addSet();
  arguments.positional("config", 1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  const std::string config = required(*given, "config", "check CONFIG [options]");
  const auto file = [&](const char* name) {
    return given->contains(name) ? (*given)[name].as<std::string>() : std::string();
  };
  const double tolerance = (*given)["tolerance"].as<double>();
  if (!(tolerance >= 0.0)) {
    throw UserError(fmt::format("--tolerance {}: must be at least 0", tolerance));
  }
  if (given->contains("dump")) {
    requireFolderOf(file("dump"));
  }
  CheckCase task =
      makeCheckCase(loadTarget(config, values(*given, "set"), out), file("weights"), file("batch"));
  const bool dumping = given->contains("dump");
  const std::unique_ptr<TrainingSession> session =
      openSession(task.settings, task.origins, dumping ? Tracing::On : Tracing::Off).session;
  session->setParameters(task.parameters);
  CheckOutcome outcome;
  outcome.result = session->differentiate(task.batch);
  outcome.gradients = session->gradients();
  outcome.counts = session->scheduleCounts();
  outcome.trace = session->trace();
  out << "on " << session->deviceName() << "\n";

  bool good = true;
  if (!given->contains("no-reference")) {
    outcome.reference = reference::differentiate(
        task.settings.network, reference::toDense(task.settings.network, task.parameters),
        task.batch);
    good = compare(task, outcome, tolerance, out);
  } else {
    out << fmt::format("loss {:.9g}\n", outcome.result.loss);
  }
  if (dumping) {
    writeDump(file("dump"), task, outcome);
    out << "wrote " << file("dump")
        << (outcome.trace ? "" : ", without the device's states: the schedule does not keep them")
        << "\n";
  }
  return good ? ExitCode::Done : ExitCode::Failed;
}

} // namespace spillway
