// What every key means, for people: on a terminal and as docs/configuration.md.
#pragma once

#include <string>
#include <vector>

namespace spillway {

// Plain text, by section; only the keys of `section` unless it is empty.
std::string describeKeys(const std::string& section);
// The whole of docs/configuration.md.
std::string configurationPage();

std::vector<std::string> sectionNames(); // in the order of the page

} // namespace spillway
