// Commands that several ranks run together.
#pragma once

#include "cli/Arguments.hpp"
#include "cli/ExitCode.hpp"
#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "parallel/Ranks.hpp"

#include <functional>
#include <string>
#include <vector>

namespace spillway {

// What a command does once its words are parsed; only rank 0's `out` goes anywhere.
using RankCommand = std::function<ExitCode(const boost::program_options::variables_map& given,
                                           Ranks& ranks, std::ostream& out)>;

// Runs `command` on the ranks that were started. An error of one rank, in its words too, is printed
// once, with the rank's number and host, and ends all.
ExitCode onRanks(Arguments& arguments, const std::vector<std::string>& words, std::ostream& out,
                 const RankCommand& command);

// Prints the error of a process that is not among its ranks, or not yet. Where a launcher started
// several and all fail alike, rank 0 speaks first and the launcher ends the others while they wait.
ExitCode tellOnce(const std::exception& error);

// Collective: `prepare` on every rank. Where it throws on some, all throw EveryRankError with the
// first rank that it failed on.
void prepareOnRanks(Ranks& ranks, const std::function<void()>& prepare);

// Collective: throws EveryRankError, naming the rank and the key, unless all have one build, the
// same settings (but for those that change no result) and the same data.
void requireSameOnRanks(Ranks& ranks, const Settings& settings, const DataSet& data);

// Collective: the host of every rank.
std::vector<std::string> hostsOf(Ranks& ranks);

// Gives a rank its share of the host's cores where the settings leave the threads open.
void shareCores(const Ranks& ranks, MachineSettings& machine);

// Keys that may differ between the sittings of a run: where things are, how often, and how fast.
bool changesNoResult(const std::string& key);

} // namespace spillway
