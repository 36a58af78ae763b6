// The outer structure of a MATLAB 5 .mat file: a 128-byte header, then tagged elements.
#pragma once

#include <cstdint>
#include <filesystem>

namespace spillway {

// Throws FileError, with its offset, for the first element that passes the end of the file, whose
// compressed data is damaged or short, or whose kind does not occur in such a file. Returns the
// bytes of the largest variable, unpacked.
std::uint64_t checkMatElements(const std::filesystem::path& path);

} // namespace spillway
