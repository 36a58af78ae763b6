// From codelet source to units, and from units to a .gp file.
#pragma once

#include "popc/CompileFlags.hpp"
#include "popc/GraphProgram.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ipumodel::popc {

// A source with its includes expanded, and the files it was made of.
struct ExpandedSource {
  std::string text;
  std::vector<std::filesystem::path> files;
};

// Both throw poplar::graph_object_creation_error with the compiler's messages when the source does
// not compile.
ExpandedSource expandIncludes(const std::filesystem::path& source, const CompileFlags& flags);
ProgramUnit compileUnit(const std::string& expandedSource, const std::string& sourceName,
                        const CompileFlags& flags);

// The code of a unit to read: for the processor of the host, not for a tile's.
enum class Listing { Assembly, LlvmIr };
std::string listUnit(const std::string& expandedSource, const std::string& sourceName,
                     const CompileFlags& flags, Listing listing);

// Throws poplar::graph_object_creation_error if an assembly file has instructions in it when
// __IPU__ is not defined: there is no tile's processor to run them.
void checkNoAssembly(const std::filesystem::path& source, const CompileFlags& flags);

// The bytes of the .gp that holds the units.
std::string linkUnits(const std::vector<ProgramUnit>& units);

} // namespace ipumodel::popc
