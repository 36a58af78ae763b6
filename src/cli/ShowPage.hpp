// Shows a page that a command has made.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

namespace spillway {

// "file:///a%20b/report.html": absolute, with everything escaped that an address may not hold.
std::string fileAddress(const std::filesystem::path& file);

// Starts $BROWSER, or xdg-open where that is not set, with the page, and does not wait for it.
// Where neither can be started, says so on `out`: the page is made, so that is no error.
void showPage(const std::filesystem::path& page, std::ostream& out);

} // namespace spillway
