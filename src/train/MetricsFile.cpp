#include "train/MetricsFile.hpp"

#include "network/UserError.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

// Whether what every reader relies on is there.
bool isRecord(const Json& json) {
  const auto has = [&](const char* field, auto isOfKind) {
    const auto found = json.find(field);
    return found != json.end() && isOfKind(*found);
  };
  const auto isCount = [](const Json& value) { return value.is_number_unsigned(); };
  const auto isNumber = [](const Json& value) { return value.is_number(); };
  const auto isNumberOrNull = [](const Json& value) {
    return value.is_number() || value.is_null();
  };
  const auto areLayers = [](const Json& value) {
    return value.is_array() &&
           std::all_of(value.begin(), value.end(), [](const Json& l) { return l.is_object(); });
  };
  return json.is_object() && has("kind", [](const Json& value) { return value.is_string(); }) &&
         has("update", isCount) && has("epoch", isCount) && has("seconds", isNumber) &&
         has("peakMemoryBytes", isCount) && has("accuracy", isNumberOrNull) &&
         has("layers", areLayers);
}

} // namespace

std::vector<Json> readMetrics(const std::filesystem::path& file) {
  std::vector<Json> records;
  if (!isThere(file)) {
    return records;
  }
  const std::string content = readWhole(file);
  std::size_t line = 1;
  for (std::size_t begin = 0, end = 0; (end = content.find('\n', begin)) != content.npos;
       begin = end + 1, ++line) {
    Json record = Json::parse(content.begin() + static_cast<std::ptrdiff_t>(begin),
                              content.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!isRecord(record)) {
      throw UserError(fmt::format("{}:{}: is not a record of the metrics; delete the line",
                                  file.string(), line));
    }
    records.push_back(std::move(record));
  }
  return records;
}

} // namespace spillway
