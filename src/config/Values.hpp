// Text to values and back, for configuration keys. Every parser takes the whole text or throws
// std::invalid_argument saying what it expected; the caller adds key and place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

bool parseFlag(std::string_view text); // true/false, yes/no, on/off, 1/0
std::uint64_t parseWhole(std::string_view text, std::uint64_t lowest, std::uint64_t highest);
double parseReal(std::string_view text); // also inf, -inf; never nan
// A count of bytes: "638976", "624KiB", "1.5 GB"; kB, MB, GB, TB are powers of 1000, KiB ... of
// 1024.
std::uint64_t parseBytes(std::string_view text);

// For a word that is none of the legal ones: all of them, and the one that was likely meant.
std::string mustBeOneOf(std::string_view word, const std::vector<std::string>& legal);

std::string formatReal(double value); // the shortest text that reads back as the same value
std::string formatBytes(std::uint64_t bytes);

} // namespace spillway
