// What the values of options of PopLibs may be, for options that are checked and change nothing.
#pragma once

#include <poputil/OptionParsing.hpp>

#include <initializer_list>
#include <map>
#include <string>

namespace poputil {

inline poplibs::OptionHandler oneOf(std::initializer_list<const char*> words) {
  std::map<std::string, bool> values;
  for (const char* word : words)
    values[word] = true;
  return poplibs::OptionHandler(
      [values](poplar::StringRef text) { poplibs::parse::asEnum<bool>(text, values); });
}

inline poplibs::OptionHandler anything() {
  return poplibs::OptionHandler([](poplar::StringRef) {});
}

inline poplibs::OptionHandler wholeNumber() {
  return poplibs::OptionHandler(
      [](poplar::StringRef text) { poplibs::parse::asInteger<int>(text); });
}

} // namespace poputil
