#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

// What a file given to Graph::addCodelets holds.
enum class CodeletFileType {
  PreprocessedAsmSource,
  AsmSource,
  CSource,
  CppSource,
  IrSource,
  Object, // made by popc
  Auto    // by the file's extension
};

CodeletFileType getCodeletFileType(const char* path);
std::string getExtensionFromFileType(CodeletFileType type);
std::string getLanguageOption(CodeletFileType type);

} // namespace poplar
