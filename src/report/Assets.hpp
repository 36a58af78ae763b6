// Files compiled into the executable by cmake/EmbedFile.cmake. The plotting library's are empty
// when it could not be fetched.
#pragma once

#include <string_view>

namespace spillway::asset {

std::string_view uplotScript();
std::string_view uplotStyle();
std::string_view reportStyle();
std::string_view chartsScript();
std::string_view runsScript();
std::string_view profileScript();

} // namespace spillway::asset
