#include "popc/Compiler.hpp"

#include "popc/Files.hpp"
#include "popc/Glue.hpp"
#include "popc/Process.hpp"
#include "popc/Toolchain.hpp"
#include "popc/VertexFinder.hpp"

#include <poplar/exceptions.hpp>

#include <sstream>
#include <string_view>

namespace ipumodel::popc {
namespace {

namespace fs = std::filesystem;

void runCompiler(std::vector<std::string> arguments, const std::string& doing) {
  arguments.insert(arguments.begin(), Toolchain::instance().compiler);
  const ProcessResult result = runProcess(arguments);
  if (result.exitCode != 0)
    throw poplar::graph_object_creation_error(doing + " failed:\n" + result.output);
}

std::vector<std::string> with(std::vector<std::string> words,
                              std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
  return words;
}

// Names in the Make rule that -MD writes; blanks in names are escaped.
std::vector<fs::path> parseDependencies(const std::string& rule) {
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = rule.find(": ") + 1; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    if (c == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n') {
      ++i;
    } else if (c == '\\' && i + 1 < rule.size() && rule[i + 1] == ' ') {
      name += rule[++i];
    } else if (c == ' ' || c == '\n') {
      if (!name.empty())
        files.push_back(fs::absolute(name));
      name.clear();
    } else {
      name += c;
    }
  }
  return files;
}

} // namespace

ExpandedSource expandIncludes(const fs::path& source, const CompileFlags& flags) {
  const TemporaryDirectory scratch;
  const fs::path expanded = scratch.path() / "expanded.cpp";
  const fs::path rule = scratch.path() / "expanded.d";
  // With the flags of the compilation, because headers look at the processor and at -O.
  runCompiler(with(Toolchain::instance().codeFlags(flags),
                   {"-E", "-frewrite-includes", "-MD", "-MF", rule.string(), "-o",
                    expanded.string(), source.string()}),
              "preprocessing '" + source.string() + "'");
  return {readFile(expanded), parseDependencies(readFile(rule))};
}

namespace {

// The output of the compiler for a source and the glue of its vertices.
std::string compileWithGlue(const std::string& expandedSource, const std::string& sourceName,
                            const CompileFlags& flags, const std::vector<std::string>& kind) {
  const Toolchain& toolchain = Toolchain::instance();
  const TemporaryDirectory scratch;
  const fs::path codelets = scratch.path() / "codelets.cpp";
  const fs::path glue = scratch.path() / "glue.cpp";
  const fs::path output = scratch.path() / "glue.o";
  writeFileAtomically(codelets, expandedSource);
  const auto found = findVertices(codelets.string(), toolchain.codeFlags(flags));
  // Bounds are reported by exceptions, which do not leave a thread.
  const bool atOnce = flags.bounds == BoundsChecks::Off && workersMayMeet(expandedSource);
  writeFileAtomically(glue, makeGlue(codelets, found, atOnce ? Workers::AtOnce : Workers::InTurn));
  auto arguments = with(toolchain.codeFlags(flags), {"-o", output.string(), glue.string()});
  arguments.insert(arguments.end(), kind.begin(), kind.end());
  runCompiler(arguments, "compiling '" + sourceName + "'");
  return readFile(output);
}

} // namespace

ProgramUnit compileUnit(const std::string& expandedSource, const std::string& sourceName,
                        const CompileFlags& flags) {
  return {.sourceName = sourceName,
          .source = expandedSource,
          .hardwareSource = {},
          .flags = flags.forCompiler,
          .object = compileWithGlue(expandedSource, sourceName, flags, {"-c"})};
}

std::string listUnit(const std::string& expandedSource, const std::string& sourceName,
                     const CompileFlags& flags, Listing listing) {
  std::vector<std::string> kind = {"-S"};
  if (listing == Listing::LlvmIr)
    kind.push_back("-emit-llvm");
  return compileWithGlue(expandedSource, sourceName, flags, kind);
}

void checkNoAssembly(const fs::path& source, const CompileFlags& flags) {
  readFile(source); // a missing file is reported as such
  const TemporaryDirectory scratch;
  const fs::path expanded = scratch.path() / "expanded.s";
  std::vector<std::string> arguments = {"-xassembler-with-cpp", "-D__POPC__=1", "-E", "-P"};
  for (const std::string& word : flags.forCompiler)
    if (!word.starts_with("-std="))
      arguments.push_back(word);
  runCompiler(with(std::move(arguments), {"-o", expanded.string(), source.string()}),
              "preprocessing '" + source.string() + "'");
  const std::string text = readFile(expanded);
  if (text.find_first_not_of(" \t\r\n") != std::string::npos)
    throw poplar::graph_object_creation_error("'" + source.string() +
                                              "' is assembly for a tile's processor, which the "
                                              "model does not have");
}

namespace {

// Hides what a unit defines from the others.
void makeSelfContained(const fs::path& object) {
  const fs::path merged = object.string() + ".merged";
  runCompiler(
      {"-r", "-nostdlib", "-Wl,--force-group-allocation", "-o", merged.string(), object.string()},
      "preparing codelets");
  const ProcessResult result =
      runProcess({"objcopy", "--localize-hidden", merged.string(), object.string()});
  if (result.exitCode != 0)
    throw poplar::graph_object_creation_error("objcopy failed:\n" + result.output);
}

} // namespace

std::string linkUnits(const std::vector<ProgramUnit>& units) {
  const TemporaryDirectory scratch;
  const fs::path table = scratch.path() / "table.s";
  const fs::path payload = scratch.path() / "units";
  const fs::path program = scratch.path() / "program.gp";

  // The linker bounds the section that each unit's glue adds its pointer to.
  std::ostringstream assembly;
  assembly << ".section ipumodel_units,\"aw\",@progbits\n"
           << ".section .data.rel.ro,\"aw\",@progbits\n"
           << ".balign 8\n"
           << ".globl ipumodel_graph_program\n"
           << "ipumodel_graph_program: .quad __start_ipumodel_units, __stop_ipumodel_units\n"
           << ".section .popc.units,\"\",@progbits\n"
           << ".incbin \"" << payload.string() << "\"\n"
           << ".section .note.GNU-stack,\"\",@progbits\n";
  writeFileAtomically(table, assembly.str());
  writeFileAtomically(payload, encodeUnits(units, Toolchain::instance().processor));

  std::vector<std::string> arguments = {"-shared", "-Wl,--gc-sections", "-o", program.string(),
                                        table.string()};
  std::vector<fs::path> objects;
  for (std::size_t i = 0; i < units.size(); ++i) {
    objects.push_back(scratch.path() / (std::to_string(i) + ".o"));
    writeFileAtomically(objects.back(), units[i].object);
    arguments.push_back(objects.back().string());
  }
  try {
    runCompiler(arguments, "linking codelets");
  } catch (const poplar::graph_object_creation_error& error) {
    // Files that each define a helper of the same name; on a tile they would not meet either.
    if (std::string_view(error.what()).find("multiple definition") == std::string_view::npos)
      throw;
    for (const fs::path& object : objects)
      makeSelfContained(object);
    runCompiler(arguments, "linking codelets");
  }
  return readFile(program);
}

} // namespace ipumodel::popc
