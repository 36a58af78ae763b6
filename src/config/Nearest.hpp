// The known word a user most likely meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spillway {

// The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case is free),
// unless more than about a third of the word would have to change.
std::optional<std::string> nearest(const std::string& word,
                                   const std::vector<std::string>& candidates);

} // namespace spillway
