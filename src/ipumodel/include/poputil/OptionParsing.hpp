// Reading option flags into variables: a table of names and handlers.
#pragma once

#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#if __cplusplus >= 201703L
#include <optional>
#endif
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace poplibs {

/// The text of a value as what it stands for; poplar::invalid_option if it does not stand for it.
namespace parse {

template <typename T>
T asNumber(const std::string& text, const char* expected) {
  std::istringstream in(text);
  if (text.find("0x") != std::string::npos)
    in >> std::hex;
  T value{};
  in >> value;
  if (in.fail() || !in.eof())
    throw poplar::invalid_option(expected);
  return value;
}

template <typename T>
T asInteger(poplar::StringRef text) {
  return asNumber<T>(text, "Not a valid integer");
}

template <typename T>
T asFloatingPoint(poplar::StringRef text) {
  return asNumber<T>(text, "Not a floating point number");
}

/// "['a', 'b']".
template <typename Map>
std::string describeEnumValues(const Map& values) {
  std::string text = "[";
  for (const auto& value : values)
    text += (text.size() > 1 ? ", '" : "'") + std::string(value.first) + "'";
  return text + "]";
}

template <typename T, typename Map = std::map<std::string, T>>
T asEnum(poplar::StringRef text, const Map& values) {
  const auto it = values.find(text);
  if (it == values.end())
    throw poplar::invalid_option("Not one of the values: " + describeEnumValues(values));
  return it->second;
}

} // namespace parse

/// What to do with the text of one option's value; throws poplar::invalid_option if it is not
/// legal.
class OptionHandler {
  std::function<void(poplar::StringRef)> handler_;

public:
  template <typename F>
  OptionHandler(F&& handler) : handler_(std::forward<F>(handler)) {}

  void parseValue(poplar::StringRef value) const { handler_(value); }

  template <typename T>
  static std::string describeEnumValues(const std::map<std::string, T>& values) {
    return parse::describeEnumValues(values);
  }

  template <typename T, typename Map = std::map<std::string, T>>
  static OptionHandler createWithEnum(T& output, const Map& values) {
    return OptionHandler([values, &output](poplar::StringRef text) {
      output = parse::asEnum<T, Map>(text, values);
    });
  }

  template <typename T>
  static OptionHandler createWithInteger(T& output) {
    return OptionHandler([&output](poplar::StringRef text) {
      output = static_cast<T>(parse::asInteger<int>(text));
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
  static void ensureValueIsWithinBounds(T value, const T& lowerBound, bool lowerBoundIsInclusive,
                                        const T& upperBound, bool upperBoundIsInclusive) {
    if (value < lowerBound || (!lowerBoundIsInclusive && !(lowerBound < value)))
      throw poplar::invalid_option(std::string("Value must be greater than ") +
                                   (lowerBoundIsInclusive ? "or equal to " : "") +
                                   std::to_string(lowerBound));
    if (upperBound < value || (!upperBoundIsInclusive && !(value < upperBound)))
      throw poplar::invalid_option(std::string("Value must be less than ") +
                                   (upperBoundIsInclusive ? "or equal to " : "") +
                                   std::to_string(upperBound));
  }

  template <typename T>
  static OptionHandler createWithDouble(T& output,
                                        double lowerBound = std::numeric_limits<double>::lowest(),
                                        bool lowerBoundIsInclusive = true,
                                        double upperBound = std::numeric_limits<double>::max(),
                                        bool upperBoundIsInclusive = true) {
    return OptionHandler([=, &output](poplar::StringRef text) {
      const double value = parse::asFloatingPoint<double>(text);
      ensureValueIsWithinBounds(value, lowerBound, lowerBoundIsInclusive, upperBound,
                                upperBoundIsInclusive);
      output = static_cast<T>(value);
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
        output.push_back(parse::asNumber<T>(element, "Not a comma-separated list of integers"));
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

#if __cplusplus >= 201703L
/// For values that may be absent; "none" makes an enumeration absent again.
template <typename T>
OptionHandler createOptionalDoubleHandler(std::optional<T>& output,
                                          double lowerBound = std::numeric_limits<double>::lowest(),
                                          bool lowerBoundIsInclusive = true,
                                          double upperBound = std::numeric_limits<double>::max(),
                                          bool upperBoundIsInclusive = true) {
  return OptionHandler([=, &output](poplar::StringRef text) {
    T value;
    OptionHandler::createWithDouble(value, lowerBound, lowerBoundIsInclusive, upperBound,
                                    upperBoundIsInclusive)
        .parseValue(text);
    output = value;
  });
}

template <typename T, typename Map = std::map<std::string, T>>
OptionHandler createOptionalEnumHandler(std::optional<T>& output, const Map& values) {
  return OptionHandler([values, &output](poplar::StringRef text) {
    if (text == "none")
      output = std::nullopt;
    else
      output = parse::asEnum<T, Map>(text, values);
  });
}
#endif

} // namespace poplibs
