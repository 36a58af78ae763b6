#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace poplar {

ProfileValue getAsProfileValue(const OptionFlags& flags) {
  ProfileValue::Map map;
  for (const auto& [option, value] : flags)
    map.emplace(option, value);
  return map;
}

void readJSON(StringRef text, OptionFlags& flags) {
  const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object())
    throw parse_error("options must be a JSON object, not '" + text.cloneAsString() + "'");
  for (const auto& [option, value] : json.items())
    flags.set(option, value.is_string() ? value.get<std::string>() : value.dump());
}

void readJSON(std::istream& stream, OptionFlags& flags) {
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  readJSON(StringRef(text), flags);
}

void readJSONFromEnv(StringRef variable, OptionFlags& flags) {
  const std::string name = variable;
  const char* text = std::getenv(name.c_str());
  if (!text || !*text)
    return;
  try {
    readJSON(StringRef(text), flags);
  } catch (const parse_error& e) {
    throw parse_error("environment variable " + name + ": " + e.what());
  }
}

std::ostream& operator<<(std::ostream& os, const OptionFlags& flags) {
  serializeToJSON(os, getAsProfileValue(flags));
  return os;
}

} // namespace poplar
