#include "popc/Build.hpp"

#include "popc/Cache.hpp"
#include "popc/Compiler.hpp"
#include "popc/Files.hpp"
#include "popc/ImplicitHeaders.hpp"
#include "popc/Toolchain.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace ipumodel::popc {
namespace {

namespace fs = std::filesystem;

std::string joined(const CompileFlags& flags) {
  std::string text = flags.bounds == BoundsChecks::On ? "checked\n" : "unchecked\n";
  for (const std::string& word : flags.forCompiler)
    text += word + '\n';
  return text;
}

// Expanding includes leaves those out that stand behind a condition that does not hold. Brings back
// the headers of the tile's processor, which are ours and may come twice.
std::string withHardwareHeaders(std::string source) {
  static const std::string begin = "#if 0 /* expanded by -frewrite-includes */\n";
  static const std::string end = "#endif /* expanded by -frewrite-includes */\n";
  for (std::size_t at = 0; (at = source.find(begin, at)) != std::string::npos; ++at) {
    const std::size_t line = at + begin.size();
    const std::size_t length = source.find(end, line) - line;
    const std::string_view include = std::string_view(source).substr(line, length);
    const bool isHeader =
        include.find("<ipu") != include.npos && include.find("<ipumodel/") == include.npos;
    if (!isHeader)
      continue;
    source.erase(line + length, end.size());
    source.erase(at, begin.size());
  }
  return source;
}

struct Compiled {
  std::vector<fs::path> files;
  std::string program;
};

constexpr const char* kForHardware = "-D__IPU__=1";

bool isForHardware(const std::vector<std::string>& flags) {
  return std::find(flags.begin(), flags.end(), kForHardware) != flags.end();
}

// Whether a file of the user's looks at what it is compiled for.
bool asksForHardware(const fs::path& source, const std::vector<fs::path>& files) {
  const auto asks = [](const fs::path& file) {
    return readFile(file).find("__IPU__") != std::string::npos;
  };
  const auto isTheirs = [](const fs::path& file) {
    const std::string name = file.string();
    return !name.starts_with(Toolchain::instance().includeDir.string()) &&
           !name.starts_with("/usr/");
  };
  return asks(source) || std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
           return isTheirs(file) && asks(file);
         });
}

// The source as hardware would include it, where that is another; adds what it was made of.
std::string hardwareSourceOf(const fs::path& source, CompileFlags flags, ExpandedSource& expanded) {
  if (isForHardware(flags.forCompiler) || !asksForHardware(source, expanded.files))
    return {};
  flags.forCompiler.push_back(kForHardware);
  try {
    ExpandedSource other = expandIncludes(source, flags);
    if (other.files == expanded.files)
      return {};
    for (fs::path& file : other.files)
      if (std::find(expanded.files.begin(), expanded.files.end(), file) == expanded.files.end())
        expanded.files.push_back(std::move(file));
    return std::move(other.text);
  } catch (const poplar::graph_object_creation_error&) { // for instance a header we have not
    return withHardwareHeaders(expanded.text);
  }
}

Compiled compileOnce(const fs::path& source, const CompileFlags& flags) {
  ExpandedSource expanded = expandIncludes(source, flags);
  ProgramUnit unit = compileUnit(expanded.text, source.string(), flags);
  unit.hardwareSource = hardwareSourceOf(source, flags, expanded);
  return {std::move(expanded.files), linkUnits({std::move(unit)})};
}

// Adds the header of what the compiler missed, until it misses nothing more that has one; and
// compiles files that refuse to be compiled for a model (by #error) for a tile. Codelets with all
// their includes are compiled as they are.
template <class Compile>
auto withImplicitHeaders(CompileFlags flags, Compile compileOnce) {
  std::vector<std::string> added;
  const auto add = [&](const std::string& key, std::initializer_list<std::string> words) {
    if (std::find(added.begin(), added.end(), key) != added.end())
      return false;
    added.push_back(key);
    flags.forCompiler.insert(flags.forCompiler.end(), words);
    return true;
  };
  while (true) {
    try {
      return compileOnce(flags);
    } catch (const poplar::graph_object_creation_error& error) {
      const std::string messages = error.what();
      const auto header = headerFor(messages);
      const bool isAnotherTry = messages.find("#error") != std::string::npos
                                    ? add(kForHardware, {kForHardware})
                                    : header && add(*header, {"-include", *header});
      if (!isAnotherTry)
        throw;
    }
  }
}

std::string compile(const fs::path& source, const std::string& request, const CompileFlags& flags) {
  const Cache cache;
  if (auto found = cache.find(request))
    return *std::move(found);
  const Cache::Claim claim(cache, request);
  if (auto found = cache.find(request)) // another process was faster
    return *std::move(found);
  Compiled compiled = withImplicitHeaders(
      flags, [&](const CompileFlags& complete) { return compileOnce(source, complete); });
  const fs::path absolute = fs::absolute(source); // its content is part of the request
  std::erase(compiled.files, absolute);
  cache.store(request, compiled.files, compiled.program);
  return std::move(compiled.program);
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

std::optional<std::string> rebuildIfNeeded(std::string_view graphProgram, const std::string& path,
                                           BoundsChecks bounds) {
  const Toolchain& toolchain = Toolchain::instance();
  if (bounds == BoundsChecks::Off && processorOf(graphProgram, path) == toolchain.processor)
    return std::nullopt;

  const std::string request =
      contentHash(toolchain.identity + (bounds == BoundsChecks::On ? "checked" : "unchecked") +
                  contentHash(graphProgram));
  const Cache cache;
  if (auto found = cache.find(request))
    return found;
  std::vector<ProgramUnit> units = decodeUnits(graphProgram, path);
  for (ProgramUnit& unit : units)
    unit.object = compileUnit(unit.source, unit.sourceName, {unit.flags, bounds}).object;
  std::string rebuilt = linkUnits(units);
  cache.store(request, {}, rebuilt);
  return rebuilt;
}

std::string buildForHardware(std::string_view graphProgram, BoundsChecks bounds) {
  std::vector<ProgramUnit> units = decodeUnits(graphProgram, "codelets");
  std::erase_if(units, [&](const ProgramUnit& unit) {
    return unit.source.find("__IPU__") == std::string::npos || isForHardware(unit.flags);
  });
  if (units.empty())
    return {};
  const std::string request = contentHash(Toolchain::instance().identity + "for hardware" +
                                          (bounds == BoundsChecks::On ? "checked" : "unchecked") +
                                          contentHash(graphProgram));
  const Cache cache;
  if (auto found = cache.find(request))
    return *std::move(found);
  for (ProgramUnit& unit : units) {
    CompileFlags flags{unit.flags, bounds};
    flags.forCompiler.push_back(kForHardware);
    unit = withImplicitHeaders(flags, [&](const CompileFlags& complete) {
      const std::string& source = unit.hardwareSource.empty() ? unit.source : unit.hardwareSource;
      return compileUnit(source, unit.sourceName, complete);
    });
  }
  const std::string program = linkUnits(units);
  cache.store(request, {}, program);
  return program;
}

BoundsChecks boundsChecksFromEnvironment() {
  const char* value = std::getenv("IPUMODEL_CHECK_BOUNDS");
  const std::string text = value ? value : "";
  return text.empty() || text == "0" ? BoundsChecks::Off : BoundsChecks::On;
}

} // namespace ipumodel::popc
