// Where our compiled codelets are.
#pragma once

#include <string>

namespace spillway {

// The file `name`.gp in $SPILLWAY_CODELETS if set, else in lib/ beside the executable's folder,
// else in the build tree. Throws UserError naming all that were tried when there is none.
std::string codeletsPath(const std::string& name);

} // namespace spillway
