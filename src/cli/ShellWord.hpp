// Paths in commands that a user is told to type.
#pragma once

#include <string>

namespace spillway {

// `text` as one word of a shell: as it is where that is safe, else in single quotes.
std::string shellWord(const std::string& text);

} // namespace spillway
