#include "popc/Glue.hpp"

#include <algorithm>
#include <regex>

namespace ipumodel::popc {
namespace {

// Names the type where its template arguments mean what they meant in the source.
std::string makeAlias(const VertexClass& vertex, const std::string& alias) {
  std::string text;
  for (const std::string& name : vertex.scope)
    text += "namespace " + name + " { ";
  text += "namespace { struct " + alias + " { using Type = ::" + vertex.spelling + "; }; }";
  for (std::size_t i = 0; i < vertex.scope.size(); ++i)
    text += " }";
  return text + '\n';
}

std::string qualified(const VertexClass& vertex, const std::string& alias) {
  std::string text;
  for (const std::string& name : vertex.scope)
    text += name.empty() ? "" : "::" + name;
  return text + "::" + alias + "::Type";
}

std::string makeListing(const VertexClass& vertex, const std::string& listing,
                        const std::string& type) {
  std::string text =
      "struct " + listing + " {\n  using Type = " + type +
      ";\n  static constexpr unsigned numFields = " + std::to_string(vertex.fields.size()) +
      ";\n  template <class T>\n  static constexpr abi::Field fields[] = {\n";
  for (const std::string& field : vertex.fields)
    text += "    glue::describe<decltype(T::" + field + ")>(\"" + field +
            "\", __builtin_offsetof(T, " + field + ")),\n";
  return text + "    {}};\n};\n";
}

} // namespace

bool workersMayMeet(std::string_view expandedSource) {
  static const std::regex marker(R"(^# \d+ "[^"]*"(( \d)*)$)");
  static const std::regex shared(
      R"(\b(volatile|_Atomic|std::atomic\w*|__atomic_\w+|__sync_\w+)\b)");
  static const std::regex assembly(R"(\b(asm|__asm|__asm__)\s+(volatile|__volatile__)\b)");
  bool isOurs = true; // text of the program, not of the system's headers
  for (std::size_t at = 0; at < expandedSource.size();) {
    const std::size_t end = std::min(expandedSource.find('\n', at), expandedSource.size());
    const std::string line(expandedSource.substr(at, end - at));
    at = end + 1;
    std::smatch found;
    if (line.starts_with("# ") && std::regex_match(line, found, marker))
      isOurs = found[1].str().find('3') == std::string::npos;
    else if (isOurs && std::regex_search(std::regex_replace(line, assembly, "asm"), shared))
      return true;
  }
  return false;
}

std::string makeGlue(const std::filesystem::path& codeletFile, const FoundVertices& found,
                     Workers workers) {
  std::string aliases, listings, names, table;
  for (std::size_t i = 0; i < found.classes.size(); ++i) {
    const std::string number = std::to_string(i);
    const std::string alias = "ipumodel_alias_" + number, listing = "Listing" + number;
    aliases += makeAlias(found.classes[i], alias);
    listings += makeListing(found.classes[i], listing, qualified(found.classes[i], alias));
    names += (i ? ", " : "") + listing;
    table += "  glue::Describe<" + listing + ">::get<All>(),\n";
  }
  return "#include \"" + codeletFile.string() +
         "\"\n#pragma clang diagnostic ignored \"-Weverything\"\n" +
         (workers == Workers::AtOnce ? "#define IPUMODEL_WORKERS_MEET 1\n" : "") +
         "#include <ipumodel/CodeletGlue.hpp>\n" + aliases +
         "namespace {\nnamespace ipumodel_listing {\nusing namespace ::ipumodel;\n" + listings +
         "using All = glue::Classes<" + names + ">;\n" +
         "constexpr const abi::Vertex* vertices[] = {\n" + table + "  nullptr};\n" +
         "const abi::Unit unit = {abi::kCodeletAbiVersion, " +
         std::to_string(found.classes.size()) + ", vertices, R\"enums(" + found.enumerators +
         ")enums\", glue::boundsReportOfUnit(), glue::contextOfThread};\n"
         "__attribute__((section(\"ipumodel_units\"), used)) const abi::Unit* const listed = "
         "&unit;\n}\n}\n";
}

} // namespace ipumodel::popc
