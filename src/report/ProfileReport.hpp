// The page that shows a profile of the IPU Model.
#pragma once

#include <filesystem>
#include <string>

namespace spillway {

// From the text of a profile.json. Lists that the page does not draw (variables of each step, bytes
// of each tile of each exchange) are left out. Throws UserError for another file.
std::string profilePage(const std::string& title, const std::string& profileJson);

} // namespace spillway
