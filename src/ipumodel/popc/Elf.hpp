// The little of ELF that popc reads: sections by name and undefined symbols, of 64-bit files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

// The bytes of a section, or nothing when the file has none of that name or is no 64-bit ELF file.
std::optional<std::string_view> elfSection(std::string_view file, std::string_view name);

// Names of the undefined symbols in the dynamic symbol table, weak ones left out.
std::vector<std::string> undefinedSymbols(std::string_view file);

} // namespace ipumodel::popc
