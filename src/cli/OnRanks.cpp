#include "cli/OnRanks.hpp"

#include "cli/ErrorText.hpp"
#include "cli/Revision.hpp"
#include "config/Keys.hpp"
#include "parallel/EveryRankError.hpp"
#include "parallel/WakingTimer.hpp"
#include "train/Fingerprint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <thread>

namespace spillway {
namespace {

std::string hostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string nameOf(unsigned rank, unsigned size, const std::string& host) {
  return fmt::format("rank {} of {} on {}", rank, size, host);
}

// The executable itself tells builds of one revision apart.
std::string buildId() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  Fingerprint executable;
  for (std::array<char, 1 << 16> part; file.read(part.data(), part.size()) || file.gcount() > 0;) {
    executable.add(std::as_bytes(std::span(part)).first(static_cast<std::size_t>(file.gcount())));
  }
  return fmt::format("{} ({} by the {}), executable {}", revision(), version(), provider(),
                     executable.text());
}

// Whether ranks need not agree on it: it changes no result, and no rank waits for another by it.
// Data may lie elsewhere on every host; its mark tells whether it is the same.
bool isOfOneRank(const std::string& key) {
  static const std::set<std::string> keys{
      "train.logEvery",   "train.keepSnapshots",    "train.tensorboard",
      "machine.threads",  "machine.account",        "checkpoint.remotePath",
      "data.batchMemory", "checkpoint.remoteStore", "data.path"};
  return keys.contains(key);
}

// One "name = value" a line, in one order.
std::string describe(const Settings& settings, const DataSet& data) {
  std::string text = fmt::format("build = {}\n", buildId());
  const auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{} = {}\n", name, value);
  };
  for (const auto& key : settingsKeys()) {
    if (!isOfOneRank(key.name)) {
      add(key.name, key.get(settings));
    }
  }
  for (std::size_t l = 0; l < settings.network.layers.size(); ++l) {
    for (const auto& key : layerKeys()) {
      add(fmt::format("layer{}.{}", l, key.name), key.get(settings.network.layers[l]));
    }
  }
  add("data", describeData(data));
  return text;
}

// The first line in which two descriptions differ.
std::string difference(const std::string& first, const std::string& other) {
  std::istringstream a(first), b(other);
  std::string lineA, lineB;
  while (std::getline(a, lineA) && std::getline(b, lineB)) {
    if (lineA != lineB) {
      return fmt::format("{}, but rank 0 has {}", lineB, lineA);
    }
  }
  return "other settings than rank 0";
}

// All ranks may fail at once, as when a shared disk is gone: the first of them that gets here ends
// the others while they wait.
constexpr std::chrono::milliseconds kPrecedence{300};

// Collective: throws EveryRankError with the first rank whose text is not rank 0's.
void requireSameText(Ranks& ranks, const std::string& own) {
  const std::vector<std::string> hosts = hostsOf(ranks);
  const std::vector<std::string> texts = ranks.gather(own);
  for (unsigned r = 1; r < ranks.size(); ++r) {
    if (texts[r] != texts[0]) {
      throw EveryRankError(nameOf(r, ranks.size(), hosts[r]) + " has " +
                           difference(texts[0], texts[r]));
    }
  }
}

// Of rank 0, where the launcher is who ends the others, in its own time.
constexpr std::chrono::seconds kPrecedenceOfFirst{5};

// For ranks to find each other: until they have, none is watched.
constexpr std::chrono::seconds kPatienceAtStart{60};

// mpirun may be about to notice that a host is gone. Told to end the job before, it would wait for
// an answer from there.
constexpr std::chrono::seconds kForTheLauncher{8};

void endWhenOneIsSilent(Ranks& ranks) {
  ranks.watch([&ranks, hosts = hostsOf(ranks)](unsigned silent) {
    printError(fmt::format("{} has not answered for {} s: it was stopped, or its host cannot be "
                           "reached",
                           nameOf(silent, ranks.size(), hosts[silent]), kSilentRankSeconds));
    if (hosts[silent] != hosts[ranks.rank()]) {
      std::this_thread::sleep_for(kForTheLauncher);
    }
    ranks.abort(static_cast<int>(ExitCode::Failed));
  });
}

// Ends this process, and so the job, where ranks do not find each other.
std::unique_ptr<Ranks> openWatchedRanks() {
  const Launch launch = launchHere();
  std::optional<WakingTimer> timer;
  if (launch.numRanks > 1) {
    // The first that is not stopped speaks.
    timer.emplace(kPatienceAtStart + kPrecedenceOfFirst * std::min(launch.rank, 10u), [launch] {
      printError(fmt::format("{}: not all ranks have started within {} s: one was stopped, or its "
                             "host cannot be reached",
                             nameOf(launch.rank, launch.numRanks, hostName()),
                             kPatienceAtStart.count()));
      std::_Exit(static_cast<int>(ExitCode::Failed));
    });
  }
  std::unique_ptr<Ranks> ranks = openRanks();
  if (ranks->size() > 1) {
    endWhenOneIsSilent(*ranks);
  }
  return ranks;
}

[[noreturn]] void failAlone(Ranks& ranks, const std::exception& error) {
  const ErrorText found = errorText(error);
  std::this_thread::sleep_for(kPrecedence * std::min(ranks.rank(), 10u));
  printError(nameOf(ranks.rank(), ranks.size(), hostName()) + ": " + found.text);
  ranks.abort(static_cast<int>(found.code));
  std::abort(); // not reached, which GCC does not know of a virtual function
}

} // namespace

bool changesNoResult(const std::string& key) {
  static const std::set<std::string> keys{"train.evaluateEvery", "train.snapshotEvery",
                                          "machine.replicas", "machine.reduce"};
  return keys.contains(key) || isOfOneRank(key);
}

ExitCode onRanks(Arguments& arguments, const std::vector<std::string>& words, std::ostream& out,
                 const RankCommand& command) {
  const std::unique_ptr<Ranks> ranks = openWatchedRanks();
  std::ostream quiet(nullptr);
  std::ostream& heard = ranks->isFirst() ? out : quiet;
  const auto run = [&] {
    requireSameText(*ranks, fmt::format("command = {}\n", arguments.command()));
    std::optional<boost::program_options::variables_map> given;
    prepareOnRanks(*ranks, [&] { given = arguments.parse(words, heard); });
    return ranks->any(!given) ? ExitCode::Done : command(*given, *ranks, heard);
  };
  if (ranks->size() == 1) {
    return run();
  }
  try {
    return run();
  } catch (const EveryRankError& error) {
    if (ranks->isFirst()) {
      printError(error.what());
    }
    return static_cast<ExitCode>(error.exitCode());
  } catch (const std::exception& error) {
    failAlone(*ranks, error);
  }
}

ExitCode tellOnce(const std::exception& error) {
  const ErrorText found = errorText(error);
  const bool first = launchHere().rank == 0;
  const bool known = dynamic_cast<const EveryRankError*>(&error) != nullptr;
  if (!first && !known) {
    std::this_thread::sleep_for(kPrecedenceOfFirst);
  }
  if (first || !known) {
    printError(found.text);
  }
  return found.code;
}

void prepareOnRanks(Ranks& ranks, const std::function<void()>& prepare) {
  if (ranks.size() == 1) {
    prepare();
    return;
  }
  std::string failure; // code, host, text
  try {
    prepare();
  } catch (const std::exception& error) {
    const ErrorText found = errorText(error);
    failure = fmt::format("{} {}\n{}", static_cast<int>(found.code), hostName(), found.text);
  }
  const std::vector<std::string> failures = ranks.gather(failure);
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (!failures[r].empty()) {
      std::istringstream text(failures[r]);
      int code = 0;
      std::string host;
      text >> code >> host >> std::ws;
      throw EveryRankError(nameOf(r, ranks.size(), host) + ": " +
                               std::string(std::istreambuf_iterator<char>(text), {}),
                           code);
    }
  }
}

void requireSameOnRanks(Ranks& ranks, const Settings& settings, const DataSet& data) {
  if (ranks.size() > 1) {
    requireSameText(ranks, describe(settings, data));
  }
}

void shareCores(const Ranks& ranks, MachineSettings& machine) {
  if (machine.threads == 0 && ranks.size() > 1) {
    machine.threads = threadsOfRank();
  }
}

std::vector<std::string> hostsOf(Ranks& ranks) {
  return ranks.gather(hostName());
}

} // namespace spillway
