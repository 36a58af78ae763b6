// The .gp file: an ELF shared object that also carries what it was made from, so that several can
// be linked into one and any can be compiled again with bounds checks or for another processor.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

// Opens a .gp's units, and is part of every key of the cache: change it with their form or the
// glue's.
inline constexpr std::string_view kUnitsFormat = "popc-units-3";

// One codelet file inside a .gp.
struct ProgramUnit {
  std::string sourceName;         // for messages
  std::string source;             // self-contained: includes expanded, macros not
  std::string hardwareSource;     // with those under `#ifdef __IPU__`; empty: there are none
  std::vector<std::string> flags; // the user's
  std::string object;             // relocatable ELF object
};

// What linkUnits() puts into the .gp beside the code. All units are compiled for one processor.
std::string encodeUnits(const std::vector<ProgramUnit>& units, const std::string& processor);

// From a .gp file's bytes: the Toolchain::processor it was compiled for, and its units. Both throw
// poplar::graph_object_load_error when it is not a .gp.
std::string processorOf(std::string_view graphProgram, const std::string& path);
std::vector<ProgramUnit> decodeUnits(std::string_view graphProgram, const std::string& path);

} // namespace ipumodel::popc
