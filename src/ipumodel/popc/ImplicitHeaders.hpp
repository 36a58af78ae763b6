// Headers that a codelet needs and does not include.
#pragma once

#include <optional>
#include <string>

namespace ipumodel::popc {

// The header that declares something a compiler missed, by its messages; nothing if it missed
// nothing that is known here.
std::optional<std::string> headerFor(const std::string& messages);

} // namespace ipumodel::popc
