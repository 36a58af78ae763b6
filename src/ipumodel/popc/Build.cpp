#include "popc/Build.hpp"

#include "popc/Cache.hpp"
#include "popc/Compiler.hpp"
#include "popc/Files.hpp"
#include "popc/Toolchain.hpp"

#include <algorithm>
#include <cstdlib>

namespace ipumodel::popc {
namespace {

namespace fs = std::filesystem;

std::string joined(const CompileFlags& flags) {
  std::string text = flags.bounds == BoundsChecks::On ? "checked\n" : "unchecked\n";
  for (const std::string& word : flags.forCompiler)
    text += word + '\n';
  return text;
}

std::string compile(const fs::path& source, const std::string& request, const CompileFlags& flags) {
  const Cache cache;
  if (auto found = cache.find(request))
    return *std::move(found);
  ExpandedSource expanded = expandIncludes(source, flags);
  std::string program = linkUnits({compileUnit(expanded.text, source.string(), flags)});
  const fs::path absolute = fs::absolute(source); // its content is part of the request
  std::erase(expanded.files, absolute);
  cache.store(request, expanded.files, program);
  return program;
}

} // namespace

std::string buildFile(const fs::path& source, const CompileFlags& flags) {
  // Relative include paths and __FILE__ depend on where we are.
  const std::string request =
      contentHash(Toolchain::instance().identity + joined(flags) + fs::current_path().string() +
                  '\n' + source.string() + '\n' + readFile(source));
  return compile(source, request, flags);
}

std::string buildText(const std::string& text, const CompileFlags& flags) {
  CompileFlags located = flags;
  located.forCompiler.push_back("-iquote" + fs::current_path().string());
  const TemporaryDirectory scratch;
  const fs::path source = scratch.path() / "codelets.cpp";
  writeFileAtomically(source, text);
  return compile(source, contentHash(Toolchain::instance().identity + joined(located) + text),
                 located);
}

std::string rebuildIfNeeded(std::string graphProgram, const std::string& path,
                            BoundsChecks bounds) {
  const Toolchain& toolchain = Toolchain::instance();
  std::vector<ProgramUnit> units = decodeUnits(graphProgram, path);
  const bool isForeign = std::any_of(units.begin(), units.end(), [&](const ProgramUnit& unit) {
    return unit.processor != toolchain.processor;
  });
  if (bounds == BoundsChecks::Off && !isForeign)
    return graphProgram;

  const std::string request =
      contentHash(toolchain.identity + (bounds == BoundsChecks::On ? "checked" : "unchecked") +
                  contentHash(graphProgram));
  const Cache cache;
  if (auto found = cache.find(request))
    return *std::move(found);
  for (ProgramUnit& unit : units)
    unit = compileUnit(unit.source, unit.sourceName, {unit.flags, bounds});
  graphProgram = linkUnits(units);
  cache.store(request, {}, graphProgram);
  return graphProgram;
}

BoundsChecks boundsChecksFromEnvironment() {
  const char* value = std::getenv("IPUMODEL_CHECK_BOUNDS");
  const std::string text = value ? value : "";
  return text.empty() || text == "0" ? BoundsChecks::Off : BoundsChecks::On;
}

} // namespace ipumodel::popc
