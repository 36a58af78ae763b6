// Where the compiler and our headers are, and what identifies them.
#pragma once

#include "popc/CompileFlags.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ipumodel::popc {

struct Toolchain {
  std::string compiler;             // clang++: $IPUMODEL_CXX, or the one found when we were built
  std::filesystem::path includeDir; // holds poplar/Vertex.hpp
  std::string processor;            // hash of what the code is generated for
  std::string identity;             // changes when compiler, processor or our headers change

  // Looked up once per process. Throws poplar::poplar_error when our headers are missing.
  static const Toolchain& instance();

  // Everything that decides the meaning of the source: defines, include paths, language.
  std::vector<std::string> languageFlags(const CompileFlags& flags) const;

  // The above and how to generate code: optimisation, processor, visibility.
  std::vector<std::string> codeFlags(const CompileFlags& flags) const;
};

} // namespace ipumodel::popc
