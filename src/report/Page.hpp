// A self-contained HTML page: plotting library, our script and the data in one file, so that it
// works from disk without a network.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

// `json` is the page's data; `script` draws it with charts.js.
// Throws UserError when this build has no plotting library.
std::string makePage(const std::string& title, std::string_view script, const std::string& json);

} // namespace spillway
