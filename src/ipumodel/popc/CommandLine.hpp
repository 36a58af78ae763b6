// popc's arguments, and what it does with them.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace ipumodel::popc {

// Returns the exit code. Throws poplar::poplar_error and its kin.
int runCommandLine(const std::vector<std::string>& arguments, std::ostream& out);

} // namespace ipumodel::popc
