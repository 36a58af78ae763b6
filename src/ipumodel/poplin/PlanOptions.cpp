#include "poplin/PlanOptions.hpp"

#include "poputil/OptionValues.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace poplin {
namespace {

using poplibs::OptionHandler;
using poplibs::OptionSpec;
using poputil::anything;
using poputil::oneOf;
using poputil::wholeNumber;

OptionHandler proportion() {
  return OptionHandler([](poplar::StringRef text) {
    double value;
    OptionHandler::createWithDouble(value, 0.0).parseValue(text);
  });
}

OptionHandler yesOrNo() {
  return oneOf({"true", "false"});
}

OptionHandler partials() {
  return oneOf({"half", "float"});
}

} // namespace

void checkMatMulOptions(const poplar::OptionFlags& options) {
  static const OptionSpec kSpec{
      {"fullyConnectedPass",
       oneOf({"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU"})},
      {"partialsType", partials()},
      {"availableMemoryProportion", proportion()},
      {"inputRHSIsPreArranged", yesOrNo()},
      {"use128BitConvUnitLoad", yesOrNo()},
      {"enableMultiStageReduce", yesOrNo()},
      {"enableFastReduce", yesOrNo()},
      {"enableSingleInputReduce", yesOrNo()},
      {"remapOutputTensor", yesOrNo()},
      {"planConstraints", anything()},
      {"gatherConvOutput", yesOrNo()},
      {"enableAmpHalfEnginesPlan", yesOrNo()}};
  for (const auto& flag : options)
    kSpec.parse(flag.first, flag.second);
}

void checkConvOptions(const poplar::OptionFlags& options) {
  static const OptionSpec kSpec{
      {"availableMemoryProportion", proportion()},
      {"pass", oneOf({"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU",
                      "FC_INFERENCE_FWD", "FC_TRAINING_FWD", "FC_TRAINING_BWD", "FC_TRAINING_WU",
                      "NONE_MATMUL"})},
      {"partialsType", partials()},
      {"partialsType.interTile", partials()},
      {"partialsType.interIPU", partials()},
      {"partialsType.internal", anything()},
      {"use128BitConvUnitLoad", yesOrNo()},
      {"enableMultiStageReduce", yesOrNo()},
      {"enableFastReduce", yesOrNo()},
      {"enableSingleInputReduce", yesOrNo()},
      {"enableConvDithering", yesOrNo()},
      {"enableAmpHalfEnginesPlan", yesOrNo()},
      {"enableTransformsConvTable", yesOrNo()},
      {"enableSLICForHalfPartials", yesOrNo()},
      {"gatherConvOutput", yesOrNo()},
      {"insertTransformsCycleCountProgs", yesOrNo()},
      {"maxOutputMemoryProportion", proportion()},
      {"numIPUs", wholeNumber()},
      {"planConstraints", anything()},
      {"planConstraintsOutputFilename", anything()},
      {"remapOutputTensor", yesOrNo()},
      {"startTileMultiplier", wholeNumber()},
      {"tilesPerIPU", wholeNumber()}};
  for (const auto& flag : options)
    kSpec.parse(flag.first, flag.second);
}

std::size_t serialOutChanSplit(const poplar::OptionFlags& convOptions) {
  static const nlohmann::json::json_pointer kSplit("/0/partition/outChanSplit/serial");
  for (const auto& [name, value] : convOptions)
    if (name == "planConstraints")
      if (const auto json = nlohmann::json::parse(value, nullptr, false);
          json.is_object() && json.contains(kSplit) && json[kSplit].is_number_unsigned())
        return std::max<std::size_t>(1, json[kSplit].get<std::size_t>());
  return 1;
}

} // namespace poplin
