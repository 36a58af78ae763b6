#include "engine/StopWatch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace ipumodel {

void StopWatch::writeNamed(std::ostream& out, std::vector<Named> all) {
  std::map<std::string, Named> byName;
  for (const Named& named : all) {
    Named& sum = byName.try_emplace(named.name, Named{named.name, 0, 0.0}).first->second;
    sum.runs += named.runs;
    sum.seconds += named.seconds;
  }
  all.clear();
  for (const auto& [name, sum] : byName)
    all.push_back(sum);
  std::sort(all.begin(), all.end(),
            [](const Named& a, const Named& b) { return a.seconds > b.seconds; });
  nlohmann::json list = nlohmann::json::array();
  for (const Named& named : all)
    list.push_back({{"name", named.name}, {"runs", named.runs}, {"seconds", named.seconds}});
  out << list.dump(1) << '\n';
}

} // namespace ipumodel
