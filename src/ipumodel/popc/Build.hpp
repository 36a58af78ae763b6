// Source or .gp in, .gp out, through the cache.
#pragma once

#include "popc/CompileFlags.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ipumodel::popc {

// The bytes of a .gp made from a source file, from source text, or from a .gp that must be compiled
// again, with bounds checks or for this processor; nothing where that one will do. Throw
// poplar::file_load_error, graph_object_load_error and graph_object_creation_error.
std::string buildFile(const std::filesystem::path& source, const CompileFlags& flags);
std::string buildText(const std::string& text, const CompileFlags& flags);
std::optional<std::string> rebuildIfNeeded(std::string_view graphProgram, const std::string& path,
                                           BoundsChecks bounds);

// A .gp of the units of another whose text asks for __IPU__, compiled with it defined and this
// processor behind the intrinsics; empty if there are none. Throws graph_object_creation_error
// where they need a tile's processor after all.
std::string buildForHardware(std::string_view graphProgram, BoundsChecks bounds);

// Whether $IPUMODEL_CHECK_BOUNDS asks for checks (set, and neither empty nor 0).
BoundsChecks boundsChecksFromEnvironment();

} // namespace ipumodel::popc
