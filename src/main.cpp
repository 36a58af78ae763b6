// Dispatches to one command; the only place that catches everything.
#include "cli/Commands.hpp"
#include "cli/OnRanks.hpp"
#include "cli/Revision.hpp"
#include "config/Nearest.hpp"
#include "network/IoError.hpp"
#include "network/UserError.hpp"
#include "train/ProcessMemory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace {

using namespace spillway;

struct Command {
  const char* name;
  const char* summary;
  ExitCode (*run)(const Words&, std::ostream&);
};

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"train", "train a network; a run is a folder that can be resumed", trainCommand},
      {"eval", "evaluate a snapshot of a run", evalCommand},
      {"prune", "take the least active gated units out of a trained network", pruneCommand},
      {"plan", "compare checkpoint strategies for a memory budget", planCommand},
      {"profile", "memory, cycles and trace of a training step", profileCommand},
      {"check", "compare the device's gradients with the reference", checkCommand},
      {"bench", "time training steps", benchCommand},
      {"report", "make an HTML page of one or several runs", reportCommand},
      {"nir", "export a network to the Neuromorphic Intermediate Representation, or import one",
       nirCommand},
      {"data", "describe or draw a data set", dataCommand},
      {"config", "explain every configuration key, or check a file", configCommand},
  };
  return all;
}

void printHelp(std::ostream& out) {
  out << "usage: spillway COMMAND [arguments]\n\n";
  for (const Command& command : commands()) {
    out << "  " << command.name << std::string(10 - std::string(command.name).size(), ' ')
        << command.summary << "\n";
  }
  out << "\n`spillway COMMAND --help` shows a command's options with defaults, units and an "
         "example."
         "\nExit codes: 0 done; 1 a check failed, or Spillway itself; 2 a mistake in arguments,"
         "\nconfiguration or data; 3 a file cannot be read or written; 130 interrupted and "
         "saved.\n";
}

ExitCode dispatch(const Words& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    printHelp(std::cout);
    return words.empty() ? ExitCode::UserMistake : ExitCode::Done;
  }
  if (words[0] == "--version") {
    std::cout << "spillway " << version() << " (" << revision() << ", Poplar by the " << provider()
              << ")\n";
    return ExitCode::Done;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (words[0] == command.name) {
      return command.run(Words(words.begin() + 1, words.end()), std::cout);
    }
    names.emplace_back(command.name);
  }
  const auto guess = nearest(words[0], names);
  throw UserError("there is no command " + words[0] +
                  (guess ? "; did you mean " + *guess + "?" : "; see spillway --help"));
}

// A stream that the caller closed would else be the number of the next file that is opened, and
// what is printed would end up in it.
void keepStreamsApartFromFiles() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", O_RDWR)); // gets the lowest number that is free
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  keepStreamsApartFromFiles();
  giveBackLargeBlocks();
  ExitCode code = ExitCode::Failed;
  try {
    code = dispatch(Words(argv + 1, argv + argc));
    errno = 0;
    if (!std::cout.flush()) { // or failed before
      throw IoError(std::string("cannot write to standard output") +
                    (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
    }
  } catch (const std::exception& error) {
    code = tellOnce(error);
  }
  return static_cast<int>(code);
}
