#include "profile/EngineReports.hpp"

#include "engine/EngineImpl.hpp"
#include "profile/Intervals.hpp"
#include "profile/KeptSummaries.hpp"
#include "profile/LegacyProfile.hpp"
#include "profile/ProfileFiles.hpp"
#include "profile/Summary.hpp"

#include <poplar/Engine.hpp>
#include <pva/pva.hpp>

namespace ipumodel {
namespace {

std::shared_ptr<const ProfileData> profileOf(EngineImpl& engine, bool withExecution) {
  return engine.profiler().profile(withExecution ? engine.account() : nullptr,
                                   engine.options().blocks);
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
  ipumodel::printSummary(outputStream, *ipumodel::profileOf(*impl_, true),
                         ipumodel::summaryOptions(opts));
}

ProfileValue Engine::getGraphProfile() {
  return ipumodel::graphProfile(*ipumodel::profileOf(*impl_, false));
}

ProfileValue Engine::getExecutionProfile() {
  return ipumodel::executionProfile(*ipumodel::profileOf(*impl_, true));
}

ProfileValue Engine::getProfile() {
  const auto profile = ipumodel::profileOf(*impl_, true);
  return ProfileValue::Map{{"graphProfile", ipumodel::graphProfile(*profile)},
                           {"executionProfile", ipumodel::executionProfile(*profile)}};
}

void Engine::reportIntervals(std::ostream& outputStream) {
  ipumodel::writeIntervals(outputStream, *ipumodel::profileOf(*impl_, true));
}

} // namespace poplar
