// Reading option flags into variables: a table of names and handlers.
#pragma once

#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>

#include <functional>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace poplibs {

/// What to do with the text of one option's value; throws poplar::invalid_option if it is not
/// legal.
class OptionHandler {
  std::function<void(poplar::StringRef)> handler_;

  template <typename T>
  static T parseNumber(const std::string& text, const char* expected) {
    std::istringstream in(text);
    if (text.find("0x") != std::string::npos)
      in >> std::hex;
    T value{};
    in >> value;
    if (in.fail() || !in.eof())
      throw poplar::invalid_option(expected);
    return value;
  }

public:
  template <typename F>
  OptionHandler(F&& handler) : handler_(std::forward<F>(handler)) {}

  void parseValue(poplar::StringRef value) const { handler_(value); }

  /// "['a', 'b']".
  template <typename T>
  static std::string describeEnumValues(const std::map<std::string, T>& values) {
    std::string text = "[";
    for (const auto& value : values)
      text += (text.size() > 1 ? ", '" : "'") + value.first + "'";
    return text + "]";
  }

  template <typename T>
  static OptionHandler createWithEnum(T& output, const std::map<std::string, T>& values) {
    return OptionHandler([values, &output](poplar::StringRef text) {
      auto it = values.find(text);
      if (it == values.end())
        throw poplar::invalid_option("Not one of the values: " + describeEnumValues(values));
      output = it->second;
    });
  }

  template <typename T>
  static OptionHandler createWithInteger(T& output) {
    return OptionHandler([&output](poplar::StringRef text) {
      output = static_cast<T>(parseNumber<int>(text, "Not a valid integer"));
    });
  }

  template <typename T>
  static OptionHandler createWithBool(T& output) {
    std::map<std::string, T> values;
    values["true"] = static_cast<T>(true);
    values["false"] = static_cast<T>(false);
    return createWithEnum(output, values);
  }

  template <typename T>
  static OptionHandler createWithDouble(T& output) {
    return OptionHandler([&output](poplar::StringRef text) {
      output = static_cast<T>(parseNumber<double>(text, "Not a floating point number"));
    });
  }

  static OptionHandler createWithString(std::string& output) {
    return OptionHandler([&output](poplar::StringRef text) { output = text.cloneAsString(); });
  }

  template <typename T>
  static OptionHandler createWithList(std::vector<T>& output) {
    return OptionHandler([&output](poplar::StringRef text) {
      std::istringstream in(text.cloneAsString());
      for (std::string element; std::getline(in, element, ',');)
        output.push_back(parseNumber<T>(element, "Not a comma-separated list of integers"));
    });
  }
};

class OptionSpec {
  std::map<const std::string, OptionHandler> handlers_;

public:
  OptionSpec(std::initializer_list<std::pair<const std::string, OptionHandler>> handlers)
      : handlers_(handlers) {}

  /// Throws poplar::invalid_option for an unknown option (unless `ignoreUnknown`) or a bad value.
  void parse(poplar::StringRef option, poplar::StringRef value, bool ignoreUnknown = false) const {
    auto it = handlers_.find(option);
    if (it == handlers_.end()) {
      if (ignoreUnknown)
        return;
      throw poplar::invalid_option("Unrecognised option '" + option.cloneAsString() + "'");
    }
    try {
      it->second.parseValue(value);
    } catch (const poplar::invalid_option& e) {
      throw poplar::invalid_option("Invalid value '" + value.cloneAsString() + "' for option '" +
                                   option.cloneAsString() + "': " + e.what());
    }
  }
};

} // namespace poplibs
