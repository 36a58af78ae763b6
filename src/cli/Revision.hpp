// What this executable was built from; made by cmake/Revision.cmake.
#pragma once

namespace spillway {

const char* version();
const char* revision(); // the commit, "-dirty" if the tree had changes, "unknown" without git
const char* provider(); // who provides Poplar: "model" or "sdk"

} // namespace spillway
