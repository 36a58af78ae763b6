// Where our compiled codelets are.
#pragma once

#include <string>

namespace spillway {

// $SPILLWAY_CODELETS if set, else lib/spillway_codelets.gp beside the executable's folder, else the
// build tree's. Throws UserError naming all three when there is none.
std::string codeletsPath();

} // namespace spillway
