// The options of CTC plans. How the work is split follows from the batch alone, so constraints are
// checked for being ones that a plan can meet, and then met by leaving them aside.
#include "popnn/CtcPlan.hpp"

#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

namespace popnn::ctc {
namespace {

using nlohmann::json;
using Names = std::initializer_list<std::string_view>;

bool isZero(const json& value) {
  return value.is_string() ? value == "0" : value.is_number() && value.get<double>() <= 0;
}

void checkPart(const std::string& part, const json& constraints, Names names) {
  if (!constraints.is_object())
    throw poplar::invalid_option("planConstraints." + part + " of a CTC plan is not an object");
  for (const auto& [name, value] : constraints.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw poputil::poplibs_error("ctc: unrecognised constraint " + part + "." + name);
    if (isZero(value))
      throw poputil::poplibs_error("ctc: no plan has " + part + "." + name + " = " + value.dump());
  }
}

void checkConstraints(const std::string& text) {
  if (text.empty())
    return;
  const auto all = json::parse(text, nullptr, false);
  if (!all.is_object())
    throw poplar::invalid_option("planConstraints of a CTC plan: '" + text + "' is not an object");
  for (const auto& [part, constraints] : all.items())
    if (part == "parallel")
      checkPart(part, constraints,
                {"batch", "time", "timePartitionsPerTile", "label", "sliceIntoOutput", "alphabet",
                 "sliceFromInput", "lastBlankOnSeparateTile"});
    else if (part == "serial")
      checkPart(part, constraints, {"batch", "time", "label"});
    else
      throw poputil::poplibs_error("ctc: unrecognised constraint " + part);
}

void checkMemory(const std::string& proportion) {
  char* end = nullptr;
  const double value = std::strtod(proportion.c_str(), &end);
  if (end == proportion.c_str() || *end != '\0' || !(value >= 0))
    throw poplar::invalid_option("availableMemoryProportion of a CTC plan: '" + proportion +
                                 "' is not a proportion");
  if (value == 0)
    throw poputil::poplibs_error("ctc: no plan does without memory");
}

} // namespace

void checkPlanOptions(const poplar::OptionFlags& options, Purpose purpose) {
  for (const auto& [name, value] : options)
    if (name == "availableMemoryProportion")
      checkMemory(value);
    else if (name == "planConstraints") {
      if (purpose == Purpose::Loss)
        checkConstraints(value);
    } else if (name != "partialsType")
      throw poplar::invalid_option("Unrecognised option '" + name + "' of a CTC plan");
}

} // namespace popnn::ctc
