// Reading a file that may be damaged with a library that may not survive it.
#pragma once

#include <filesystem>
#include <functional>

namespace spillway {

// Whether a child process that calls `read` survives it, in a time that any disk keeps to: HDF5
// 1.10 crashes on some damaged files and goes round in circles on others. What is wrong otherwise
// (what `read` throws, but for want of memory), the caller finds out by itself. Where no child can
// be had, true.
bool survivesInAChild(const std::filesystem::path& path, const std::function<void()>& read);

} // namespace spillway
