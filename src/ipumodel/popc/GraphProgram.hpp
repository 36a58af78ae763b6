// The .gp file: an ELF shared object that also carries what it was made from, so that several can
// be linked into one and any can be compiled again with bounds checks or for another processor.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

// One codelet file inside a .gp.
struct ProgramUnit {
  std::string sourceName;         // for messages
  std::string source;             // self-contained: includes expanded, macros not
  std::vector<std::string> flags; // the user's
  std::string processor;          // Toolchain::processor it was compiled for
  std::string object;             // relocatable ELF object
};

std::string encodeUnits(const std::vector<ProgramUnit>& units);

// The units of a .gp file's bytes. Throws poplar::graph_object_load_error when it is not a .gp.
std::vector<ProgramUnit> decodeUnits(std::string_view graphProgram, const std::string& path);

} // namespace ipumodel::popc
