#include "popc/CanonicalName.hpp"

#include <cctype>
#include <regex>
#include <sstream>

namespace ipumodel::popc {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

void eraseAll(std::string& text, std::string_view what) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;)
    text.erase(at, what.size());
}

// One identifier, keyword or number.
std::string canonicalWord(const std::string& word) {
  if (word == "__fp16" || word == "_Float16")
    return "half";
  if (word == "_Bool")
    return "bool";
  if (std::isdigit(static_cast<unsigned char>(word.front()))) {
    const std::size_t end = word.find_last_not_of("uUlL");
    return word.substr(0, end + 1);
  }
  return word;
}

bool isIntegerWord(std::string_view word) {
  return word == "int" || word == "long" || word == "short" || word == "char";
}

// The name of the enumerator of that value, or nothing.
std::string enumeratorName(std::string_view enumerators, const std::string& type,
                           const std::string& value) {
  std::istringstream lines{std::string(enumerators)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, name;
    if (words >> word && word == type)
      while (words >> word >> name)
        if (word == value)
          return name;
  }
  return {};
}

// "(ns::Op)1" -> "ns::Op::MUL"
std::string withEnumeratorNames(const std::string& text, std::string_view enumerators) {
  static const std::regex cast(R"(\(([\w:]+)\)(-?\d+))");
  std::string result;
  auto rest = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), cast), end; match != end; ++match) {
    result.append(rest, (*match)[0].first);
    const std::string name = enumeratorName(enumerators, match->str(1), match->str(2));
    result += name.empty() ? match->str() : match->str(1) + "::" + name;
    rest = (*match)[0].second;
  }
  return result.append(rest, text.end());
}

} // namespace

std::string canonicalName(std::string_view spelled, std::string_view enumerators) {
  std::string text(spelled);
  eraseAll(text, "(anonymous namespace)::");
  if (!enumerators.empty())
    text = withEnumeratorNames(text, enumerators);

  std::string result, previous;
  for (std::size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      if (!std::isspace(static_cast<unsigned char>(text[i]))) {
        if (previous == "unsigned")
          result += " int";
        result += text[i];
        previous.clear();
      }
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && isWord(text[end]))
      ++end;
    const std::string word = canonicalWord(text.substr(i, end - i));
    if (previous == "unsigned" && !isIntegerWord(word))
      result += " int";
    if (!previous.empty())
      result += ' ';
    result += word;
    previous = word;
    i = end;
  }
  return result;
}

} // namespace ipumodel::popc
