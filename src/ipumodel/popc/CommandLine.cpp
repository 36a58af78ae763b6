#include "popc/CommandLine.hpp"

#include "popc/Build.hpp"
#include "popc/CodeletObject.hpp"
#include "popc/Compiler.hpp"
#include "popc/Files.hpp"
#include "popc/Targets.hpp"
#include "popc/Toolchain.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string_view>

namespace ipumodel::popc {
namespace {

constexpr std::string_view kUsage =
    R"(usage: popc [options] file...
Compiles codelet sources (.cpp, .c++, .cc, .cxx, .C) and links them with graph programs (.gp).
Assembly (.S) is accepted if nothing of it is left without __IPU__.

  -o FILE                 write FILE (default: a.gp)
  -E                      print the source with its includes expanded
  -S, --emit-llvm         print assembly, or LLVM's intermediate code, of the host's processor
  -O0 -O1 -O2 -O3 -Os     optimisation (default: -O3)
  -g                      debug information
  -D NAME[=VALUE] -U NAME define or undefine a macro
  -I DIR -isystem DIR     look for headers in DIR
  -std=STANDARD           language standard (default: c++17)
  -W... -f... -m...       passed to clang++
  -X OPTION               passed to clang++
  --target TARGETS        accepted for compatibility: the model runs all targets alike
  --list-targets          print the targets to build libraries for, between commas
  -v                      print the vertices found
  --version  -h, --help
)";

enum class Action { Link, Preprocess, Assembly, LlvmIr, ListTargets, Version, Help };
enum class Verbosity { Quiet, Verbose };

struct Options {
  Action action = Action::Link;
  Verbosity verbosity = Verbosity::Quiet;
  std::filesystem::path output;
  std::vector<std::string> inputs;
  CompileFlags flags;
};

bool startsWithAny(std::string_view word, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes)
    if (word.starts_with(prefix))
      return true;
  return false;
}

class ArgumentReader {
public:
  explicit ArgumentReader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Options read() {
    while (next_ < arguments_.size())
      readOne(arguments_[next_++]);
    return std::move(options_);
  }

private:
  const std::string& valueOf(const std::string& option) {
    if (next_ == arguments_.size())
      throw poplar::poplar_error("option '" + option + "' needs a value");
    return arguments_[next_++];
  }

  void readOne(const std::string& word) {
    std::vector<std::string>& pass = options_.flags.forCompiler;
    if (!word.starts_with('-') || word == "-") {
      options_.inputs.push_back(word);
    } else if (word == "-o") {
      options_.output = valueOf(word);
    } else if (word == "-E") {
      options_.action = Action::Preprocess;
    } else if (word == "-S" || word == "--S") {
      if (options_.action != Action::LlvmIr)
        options_.action = Action::Assembly;
    } else if (word == "--emit-llvm" || word == "-emit-llvm") {
      options_.action = Action::LlvmIr;
    } else if (word == "--list-targets") {
      options_.action = Action::ListTargets;
    } else if (word == "--version") {
      options_.action = Action::Version;
    } else if (word == "-h" || word == "--help") {
      options_.action = Action::Help;
    } else if (word == "-v") {
      options_.verbosity = Verbosity::Verbose;
    } else if (word == "--target" || word == "-target") {
      checkTargets(valueOf(word));
    } else if (startsWithAny(word, {"--target=", "-target="})) {
      checkTargets(word.substr(word.find('=') + 1));
    } else if (word == "-DIPUMODEL_CHECK_BOUNDS" || word == "-DIPUMODEL_CHECK_BOUNDS=1") {
      options_.flags.bounds = BoundsChecks::On;
    } else if (word == "-D" || word == "-U" || word == "-I" || word == "-isystem" ||
               word == "-iquote" || word == "-include") {
      pass.push_back(word);
      pass.push_back(valueOf(word));
    } else if (word == "-X") {
      pass.push_back(valueOf(word));
    } else if (startsWithAny(word, {"-D", "-U", "-I", "-O", "-g", "-std=", "-W", "-f", "-m",
                                    "-isystem", "-iquote", "-pedantic"}) ||
               word == "-w") {
      pass.push_back(word);
    } else if (word.starts_with("-X") && word.size() > 2) {
      pass.push_back(word.substr(2));
    } else {
      throw poplar::poplar_error("unknown option '" + word + "' (popc --help lists them)");
    }
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  Options options_;
};

std::string programOf(const std::string& input, const CompileFlags& flags) {
  const std::filesystem::path extension = std::filesystem::path(input).extension();
  if (extension == ".gp") {
    std::string program = readFile(input);
    std::optional<std::string> rebuilt = rebuildIfNeeded(program, input, flags.bounds);
    return rebuilt ? *std::move(rebuilt) : program;
  }
  if (extension == ".S" || extension == ".s") {
    checkNoAssembly(input, flags);
    return buildText("", flags);
  }
  return buildFile(input, flags);
}

bool sameUnit(const ProgramUnit& a, const ProgramUnit& b) {
  return a.source == b.source && a.flags == b.flags;
}

std::string linkPrograms(const std::vector<std::string>& inputs, const CompileFlags& flags) {
  if (inputs.size() == 1)
    return programOf(inputs.front(), flags);
  // Build scripts compile each source once per target and link all of them; here those are equal.
  std::vector<ProgramUnit> units;
  for (const std::string& input : inputs)
    for (ProgramUnit& unit : decodeUnits(programOf(input, flags), input))
      if (std::none_of(units.begin(), units.end(),
                       [&](const ProgramUnit& other) { return sameUnit(unit, other); }))
        units.push_back(std::move(unit));
  return linkUnits(units);
}

void link(const Options& options, std::ostream& out) {
  const std::string program = linkPrograms(options.inputs, options.flags);
  const std::filesystem::path output = options.output.empty() ? "a.gp" : options.output;
  const auto object = CodeletObject::fromBytes(program, output.string());
  if (options.verbosity == Verbosity::Verbose)
    for (const VertexType& type : object->types())
      out << "vertex " << type.name << '\n';
  writeFileAtomically(output, program);
}

} // namespace

int runCommandLine(const std::vector<std::string>& arguments, std::ostream& out) {
  const Options options = ArgumentReader(arguments).read();
  switch (options.action) {
  case Action::Help:
    out << kUsage;
    return 0;
  case Action::Version:
    // Build scripts take the third word of the first line for the version of Poplar.
    out << "POPLAR version " << poplar::versionString().cloneAsString()
        << "\nIPU Model version " SPILLWAY_VERSION "\ncompiler: " << Toolchain::instance().compiler
        << '\n';
    return 0;
  case Action::ListTargets:
    for (const std::string_view target : kListedTargets)
      out << (target == kListedTargets.front() ? "" : ",") << target;
    out << '\n';
    return 0;
  case Action::Preprocess:
  case Action::Assembly:
  case Action::LlvmIr:
  case Action::Link:
    break;
  }
  if (options.inputs.empty())
    throw poplar::poplar_error("no input files");
  if (options.action == Action::Link) {
    link(options, out);
    return 0;
  }
  std::string text;
  for (const std::string& input : options.inputs) {
    const std::string expanded = expandIncludes(input, options.flags).text;
    text +=
        options.action == Action::Preprocess
            ? expanded
            : listUnit(expanded, input, options.flags,
                       options.action == Action::Assembly ? Listing::Assembly : Listing::LlvmIr);
  }
  if (options.output.empty())
    out << text;
  else
    writeFileAtomically(options.output, text);
  return 0;
}

} // namespace ipumodel::popc
