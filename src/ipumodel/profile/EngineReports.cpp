#include "profile/EngineReports.hpp"

#include "engine/EngineImpl.hpp"
#include "profile/Intervals.hpp"
#include "profile/LegacyProfile.hpp"
#include "profile/ProfileFiles.hpp"
#include "profile/Summary.hpp"

#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <iterator>

namespace ipumodel {
namespace {

bool isOn(const poplar::OptionFlags& flags, const char* name) {
  for (const auto& flag : flags) {
    if (flag.first != name)
      continue;
    if (flag.second != "true" && flag.second != "false")
      throw poplar::invalid_option(std::string(name) + " is '" + flag.second +
                                   "'; it must be true or false");
    return flag.second == "true";
  }
  return false;
}

std::shared_ptr<const ProfileData> profileOf(EngineImpl& engine, bool withExecution) {
  return engine.profiler().profile(withExecution ? engine.account() : nullptr);
}

} // namespace

void writeAutoReport(EngineImpl& engine) {
  const EngineOptions& options = engine.options();
  if (!options.outputGraphProfile && !options.outputExecutionProfile)
    return;
  writeProfileFiles(options.reportDirectory, *profileOf(engine, options.outputExecutionProfile));
}

} // namespace ipumodel

namespace poplar {

pva::Report Engine::getReport(bool reportExecution) {
  return pva::Report(ipumodel::profileOf(*impl_, reportExecution));
}

void Engine::printProfileSummary(std::ostream& outputStream, const OptionFlags& opts) {
  constexpr const char* kKnown[] = {"showExecutionSteps",    "showVarStorage", "showOptimizations",
                                    "showPerIpuMemoryUsage", "colours",        "showMachine"};
  for (const auto& flag : opts)
    if (std::find(std::begin(kKnown), std::end(kKnown), flag.first) == std::end(kKnown))
      throw invalid_option("unknown option of printProfileSummary: '" + flag.first + "'");
  ipumodel::printSummary(outputStream, *ipumodel::profileOf(*impl_, true),
                         {.showExecutionSteps = ipumodel::isOn(opts, "showExecutionSteps"),
                          .showVarStorage = ipumodel::isOn(opts, "showVarStorage"),
                          .showMachine = ipumodel::isOn(opts, "showMachine")});
}

ProfileValue Engine::getGraphProfile() {
  return ipumodel::graphProfile(*ipumodel::profileOf(*impl_, false));
}

ProfileValue Engine::getExecutionProfile() {
  return ipumodel::executionProfile(*ipumodel::profileOf(*impl_, true));
}

void Engine::reportIntervals(std::ostream& outputStream) {
  ipumodel::writeIntervals(outputStream, *ipumodel::profileOf(*impl_, true));
}

} // namespace poplar
