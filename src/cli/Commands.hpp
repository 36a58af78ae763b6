// The commands of `spillway`: words after the command's name in, exit code out.
#pragma once

#include "cli/ExitCode.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace spillway {

using Words = std::vector<std::string>;

ExitCode trainCommand(const Words& words, std::ostream& out);
ExitCode evalCommand(const Words& words, std::ostream& out);
ExitCode pruneCommand(const Words& words, std::ostream& out);
ExitCode planCommand(const Words& words, std::ostream& out);
ExitCode profileCommand(const Words& words, std::ostream& out);
ExitCode checkCommand(const Words& words, std::ostream& out);
ExitCode benchCommand(const Words& words, std::ostream& out);
ExitCode reportCommand(const Words& words, std::ostream& out);
ExitCode dataCommand(const Words& words, std::ostream& out);
ExitCode nirCommand(const Words& words, std::ostream& out);
ExitCode configCommand(const Words& words, std::ostream& out);

} // namespace spillway
