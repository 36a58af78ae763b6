// What a data set of an HDF5 file claims to hold, measured against the file: a damaged claim makes
// the library read beyond its buffers, or this program ask for all memory. Inside src/data only.
#pragma once

#include "data/Hdf5File.hpp"

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

// For messages.
std::string quoted(const std::string& name);

std::vector<std::size_t> extentOf(const Hdf5Handle& set);

// The number of elements. Throws FileError where `path` cannot possibly hold them.
std::size_t credibleSize(const std::filesystem::path& path, const std::string& name,
                         const std::vector<std::size_t>& shape, std::size_t bytesPerElement);

// Whether the library can convert numbers of this type: it trusts where a damaged type says that
// sign, exponent and mantissa lie, far outside the number as the case may be.
bool isSoundNumber(hid_t type);

// Whether the file sets aside what that many elements need, no less and no more, or nothing at all:
// where it is damaged the library copies from beyond. Chunks may be absent or packed, so they tell
// nothing.
bool hasStorage(const std::filesystem::path& path, const Hdf5Handle& set, std::size_t numElements);

} // namespace spillway
