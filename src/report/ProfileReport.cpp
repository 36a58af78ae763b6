#include "report/ProfileReport.hpp"

#include "network/UserError.hpp"
#include "report/Assets.hpp"
#include "report/Page.hpp"

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostSteps = 20000; // of the trace; more would make the page slow

void eraseFields(Json& list, std::initializer_list<const char*> fields) {
  for (Json& entry : list) {
    for (const char* field : fields) {
      entry.erase(field);
    }
  }
}

} // namespace

std::string profilePage(const std::string& title, const std::string& profileJson) {
  Json profile = Json::parse(profileJson, nullptr, false);
  if (profile.is_discarded() || profile.value("format", "") != "spillway-profile") {
    throw UserError("this is not a profile.json of the IPU Model");
  }
  eraseFields(profile.at("livenessSteps"), {"variables"});
  eraseFields(profile.at("programs"), {"variables", "bytesSent", "bytesReceived", "codeBytes"});
  eraseFields(profile.at("tiles"), {"vertices"});
  Json& execution = profile.at("execution");
  Json& steps = execution.at("steps");
  if (steps.size() > kMostSteps) {
    const std::size_t dropped = steps.size() - kMostSteps;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(kMostSteps), steps.end());
    execution["stepsDropped"] = execution.at("stepsDropped").get<std::uint64_t>() + dropped;
  }
  return makePage(title, asset::profileScript(),
                  Json{{"profile", std::move(profile)}, {"title", title}}.dump(
                      -1, ' ', false, Json::error_handler_t::replace)); // of any bytes
}

} // namespace spillway
