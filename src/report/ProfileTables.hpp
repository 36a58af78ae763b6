// A profile of the IPU Model as tables for spreadsheets.
#pragma once

#include <string>

namespace spillway {

// From the text of a profile.json; both throw UserError for another file.
//
// One row per tile: bytes always live and at the tile's own peak, the limit, then per category.
std::string profileTilesCsv(const std::string& profileJson);
// One row per program that was executed: index, type, name, executions, modelled cycles of all.
std::string profileProgramsCsv(const std::string& profileJson);

} // namespace spillway
