#include "report/ProfileTables.hpp"

#include "network/UserError.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace spillway {
namespace {

using Json = nlohmann::json;

Json parseProfile(const std::string& text) {
  Json profile = Json::parse(text, nullptr, false);
  if (profile.is_discarded() || profile.value("format", "") != "spillway-profile") {
    throw UserError("this is not a profile.json of the IPU Model");
  }
  return profile;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

std::uint64_t sum(const Json& categories) {
  std::uint64_t total = 0;
  for (const Json& bytes : categories) {
    total += bytes.get<std::uint64_t>();
  }
  return total;
}

} // namespace

std::string profileTilesCsv(const std::string& profileJson) {
  const Json profile = parseProfile(profileJson);
  std::set<std::string> categories;
  for (const Json& tile : profile.at("tiles")) {
    for (const char* part : {"alwaysLive", "atPeak"}) {
      for (const auto& entry : tile.at(part).items()) {
        categories.insert(entry.key());
      }
    }
  }
  std::string out = "tile,alwaysLiveBytes,peakBytes,limitBytes";
  for (const std::string& category : categories) {
    out += "," + category;
  }
  const std::string limit = profile.at("target").at("bytesPerTile").dump();
  std::size_t index = 0;
  for (const Json& tile : profile.at("tiles")) {
    const Json &always = tile.at("alwaysLive"), &peak = tile.at("atPeak");
    out += "\n" + std::to_string(index++) + "," + std::to_string(sum(always)) + "," +
           std::to_string(sum(always) + sum(peak)) + "," + limit;
    for (const std::string& category : categories) {
      out += "," + std::to_string(always.value(category, std::uint64_t{0}) +
                                  peak.value(category, std::uint64_t{0}));
    }
  }
  return out + "\n";
}

std::string profileProgramsCsv(const std::string& profileJson) {
  const Json profile = parseProfile(profileJson);
  const Json &programs = profile.at("programs"), &done = profile.at("execution").at("programs");
  std::string out = "program,type,name,executions,cycles\n";
  for (std::size_t i = 0; i < programs.size() && i < done.size(); ++i) {
    if (done[i].at("executions") != 0) {
      out += std::to_string(i) + "," + programs[i].at("type").get<std::string>() + "," +
             quoted(programs[i].at("name").get<std::string>()) + "," +
             done[i].at("executions").dump() + "," + done[i].at("cycles").dump() + "\n";
    }
  }
  return out;
}

} // namespace spillway
