// The names popc knows targets by. The model compiles every one of them for the host.
#pragma once

#include <array>
#include <string_view>

namespace ipumodel::popc {

inline constexpr std::array<std::string_view, 7> kTargets = {
    "cpu", "ipu1", "ipu1:cpp", "ipu2", "ipu2:cpp", "ipu21", "ipu21:cpp"};

// Checks "ipu2", "ipu1,ipu2" or the JSON list ["ipu1","ipu2"]. Throws poplar::poplar_error, naming
// the target that is not known.
void checkTargets(std::string_view list);

} // namespace ipumodel::popc
