#include <poplar/CodeletFileType.hpp>
#include <poplar/exceptions.hpp>

#include <array>
#include <string_view>

namespace poplar {
namespace {

struct Row {
  CodeletFileType type;
  std::string_view extension;
  std::string_view language; // for -x
};

constexpr std::array<Row, 9> kRows = {{
    {CodeletFileType::CppSource, ".cpp", "c++"},
    {CodeletFileType::CppSource, ".cc", "c++"},
    {CodeletFileType::CppSource, ".cxx", "c++"},
    {CodeletFileType::CppSource, ".C", "c++"},
    {CodeletFileType::CSource, ".c", "c"},
    {CodeletFileType::AsmSource, ".S", "assembler-with-cpp"},
    {CodeletFileType::PreprocessedAsmSource, ".s", "assembler"},
    {CodeletFileType::IrSource, ".ll", "ir"},
    {CodeletFileType::Object, ".gp", ""},
}};

const Row& rowOf(CodeletFileType type) {
  for (const Row& row : kRows)
    if (row.type == type)
      return row;
  throw poplar_error("a codelet file of type Auto has neither extension nor language");
}

} // namespace

CodeletFileType getCodeletFileType(const char* path) {
  const std::string_view name = path;
  for (const Row& row : kRows)
    if (name.ends_with(row.extension))
      return row.type;
  if (name.ends_with(".o"))
    return CodeletFileType::Object;
  throw graph_object_creation_error("codelet file '" + std::string(name) +
                                    "' has no known extension (.cpp, .c, .gp, .o, .S, .s, .ll)");
}

std::string getExtensionFromFileType(CodeletFileType type) {
  return std::string(rowOf(type).extension);
}
std::string getLanguageOption(CodeletFileType type) {
  return "-x " + std::string(rowOf(type).language);
}

} // namespace poplar
