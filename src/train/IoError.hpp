// IoErrors with the system's own reason.
#pragma once

#include "network/IoError.hpp"

#include <filesystem>
#include <string>

namespace spillway {

// "cannot WHAT PATH: REASON" with the reason of errno.
[[noreturn]] void throwErrno(const std::string& what, const std::filesystem::path& path);

// Whether there is a file or folder; an IoError where a folder on the way forbids to look.
bool isThere(const std::filesystem::path& path);

} // namespace spillway
