// The names popc knows targets by. The model compiles every one of them for the host.
#pragma once

#include <array>
#include <string_view>

namespace ipumodel::popc {

inline constexpr std::array<std::string_view, 4> kTargets = {"cpu", "ipu1", "ipu2", "ipu21"};

// Those that --list-targets names. Build scripts compile every codelet and run every test once for
// each of them, and scripts older than ipu21 have no tests for it.
inline constexpr std::array<std::string_view, 3> kListedTargets = {"cpu", "ipu1", "ipu2"};

// Checks "ipu2", "ipu1,ipu2:cpp", or a JSON list of names and of objects {"name": ..., "arch": ...,
// "compile-flags": [...]}, whose flags choose between codelets for hardware and mean nothing here.
// Throws poplar::poplar_error, naming the target that is not known.
void checkTargets(std::string_view list);

} // namespace ipumodel::popc
