// What a user may tell the codelet compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

enum class BoundsChecks { Off, On };

struct CompileFlags {
  std::vector<std::string> forCompiler; // -D, -I, -O, -std, -W, -f, -g, ... as given
  BoundsChecks bounds = BoundsChecks::Off;

  // Splits a command line as a shell would, with quotes and backslashes, and sorts its words.
  // Options about targets are dropped: the model has one. Throws poplar::poplar_error for a word
  // that is no compiler option.
  static CompileFlags parse(std::string_view text);
};

// The words of a command line.
std::vector<std::string> splitWords(std::string_view text);

} // namespace ipumodel::popc
