#include "popc/CompileFlags.hpp"

#include <poplar/exceptions.hpp>

#include <cctype>

namespace ipumodel::popc {

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && std::isspace(static_cast<unsigned char>(c))) {
      inWord = false;
      continue;
    }
    if (!inWord)
      words.emplace_back();
    inWord = true;
    if (quote ? c == quote : (c == '"' || c == '\''))
      quote = quote ? 0 : c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  return words;
}

CompileFlags CompileFlags::parse(std::string_view text) {
  CompileFlags flags;
  const std::vector<std::string> words = splitWords(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-target" || word == "--target") {
      ++i;
    } else if (word.starts_with("-target=") || word.starts_with("--target=")) {
      continue;
    } else if (word == "-DIPUMODEL_CHECK_BOUNDS" || word == "-DIPUMODEL_CHECK_BOUNDS=1") {
      flags.bounds = BoundsChecks::On;
    } else if (word.starts_with('-') && word.size() > 1) {
      flags.forCompiler.push_back(word);
      const bool takesNext = word == "-I" || word == "-D" || word == "-U" || word == "-include" ||
                             word == "-isystem" || word == "-iquote" || word == "-Xclang" ||
                             word == "-mllvm";
      if (takesNext && i + 1 < words.size())
        flags.forCompiler.push_back(words[++i]);
    } else {
      throw poplar::poplar_error("'" + word + "' is not a compiler option");
    }
  }
  return flags;
}

} // namespace ipumodel::popc
