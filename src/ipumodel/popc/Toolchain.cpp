#include "popc/Toolchain.hpp"

#include "popc/Files.hpp"
#include "popc/GraphProgram.hpp"

#include <poplar/exceptions.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

namespace ipumodel::popc {
namespace {

namespace fs = std::filesystem;

// Next to the library in an installed tree, else the source tree we were built from.
fs::path findIncludeDir() {
  std::vector<fs::path> candidates;
  if (const char* given = std::getenv("IPUMODEL_INCLUDE_DIR"))
    candidates.emplace_back(given);
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&findIncludeDir), &info) && info.dli_fname) {
    const fs::path library = fs::weakly_canonical(info.dli_fname);
    candidates.push_back(library.parent_path().parent_path() / "include");
  }
  candidates.emplace_back(IPUMODEL_SOURCE_INCLUDE_DIR);
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate / "ipumodel" / "CodeletGlue.hpp"))
      return candidate;
  throw poplar::poplar_error("cannot find the codelet headers; looked for "
                             "ipumodel/CodeletGlue.hpp in " +
                             candidates.front().string() + " and " + candidates.back().string());
}

fs::path findInPath(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return program;
  std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path(path.substr(begin, end - begin)) / program;
    if (fs::exists(candidate))
      return candidate;
    begin = end + 1;
  }
  return program;
}

std::string findCompiler() {
  if (const char* given = std::getenv("IPUMODEL_CXX"))
    return given;
  return fs::exists(IPUMODEL_CLANGXX) ? IPUMODEL_CLANGXX : "clang++";
}

// The compiler by its file, which a package upgrade replaces, since asking it takes a process.
std::string describeCompiler(const std::string& compiler) {
  std::error_code error;
  const fs::path file = fs::canonical(findInPath(compiler), error);
  if (error)
    return compiler;
  return file.string() + ' ' + std::to_string(fs::file_size(file)) + ' ' +
         std::to_string(fs::last_write_time(file).time_since_epoch().count());
}

// Code is generated for the processor at hand.
std::string describeProcessor() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, result;
  while (std::getline(info, line) && !line.empty())
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      result += line + '\n';
  return result;
}

// From Ice Lake on, full-width vectors cost no clock. They make up for the multiply and add that we
// keep apart, so that a codelet computes the same bits wherever it is inlined.
bool hasCheapWideVectors() {
  return describeProcessor().find(" avx512_vbmi2") != std::string::npos;
}

std::string describeHeaders(const fs::path& includeDir) {
  std::string text;
  for (const char* header : {"CodeletAbi.hpp", "CodeletContext.hpp", "CodeletFieldTraits.hpp",
                             "CodeletGlue.hpp", "DoubleToHalf.hpp"})
    text += readFile(includeDir / "ipumodel" / header);
  return text;
}

// The glue needs C++17, which compiles older codelets as well.
bool isOldStandard(const std::string& word) {
  static const std::regex old(R"(-std=(c|gnu)\+\+(98|03|0x|11|1y|14))");
  return std::regex_match(word, old);
}

bool hasPrefix(const std::vector<std::string>& words, std::string_view prefix) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.starts_with(prefix); });
}

} // namespace

const Toolchain& Toolchain::instance() {
  static const Toolchain toolchain = [] {
    Toolchain found;
    found.compiler = findCompiler();
    found.includeDir = findIncludeDir();
    found.processor = contentHash(describeProcessor());
    std::string description =
        describeCompiler(found.compiler) + found.processor + describeHeaders(found.includeDir);
    for (const std::string& word : found.codeFlags({}))
      description += '\n' + word;
    found.identity = contentHash(std::string(kUnitsFormat) + description);
    return found;
  }();
  return toolchain;
}

std::vector<std::string> Toolchain::languageFlags(const CompileFlags& flags) const {
  std::vector<std::string> words = {"-xc++",
                                    "-D__POPC__=1",
                                    "-isystem" + (includeDir / "ipumodel/codelets").string(),
                                    "-isystem" + includeDir.string(),
                                    "-fno-access-control",
                                    "-Xclang",
                                    "-fallow-half-arguments-and-returns",
                                    "-Wno-unknown-attributes",
                                    "-Wno-ignored-attributes",
                                    "-Wno-invalid-offsetof",
                                    "-Wno-pragma-once-outside-header"};
  if (!hasPrefix(flags.forCompiler, "-std="))
    words.push_back("-std=c++17");
  if (flags.bounds == BoundsChecks::On)
    words.push_back("-DIPUMODEL_CHECK_BOUNDS=1");
  for (const std::string& word : flags.forCompiler)
    words.push_back(isOldStandard(word) ? "-std=c++17" : word);
  // Halves compute in float here, wherever they meet: -h in braces is no narrowing on a tile.
  words.insert(words.end(), {"-Wno-double-promotion", "-Wno-c++11-narrowing"});
  return words;
}

std::vector<std::string> Toolchain::codeFlags(const CompileFlags& flags) const {
  std::vector<std::string> words = {
      "-march=native",       "-ffp-contract=off",   "-fPIC",
      "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"};
  if (!hasPrefix(flags.forCompiler, "-O"))
    words.push_back("-O3");
  if (hasCheapWideVectors())
    words.push_back("-mprefer-vector-width=512");
  const std::vector<std::string> language = languageFlags(flags);
  words.insert(words.end(), language.begin(), language.end());
  return words;
}

} // namespace ipumodel::popc
