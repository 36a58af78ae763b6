#include "profile/KeptSummaries.hpp"

#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <iterator>
#include <ostream>

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

void row(std::ostream& out, const char* label, const poplar::ProfileValue& value) {
  out << "  " << label << ": " << value << '\n';
}

} // namespace

SummaryOptions summaryOptions(const poplar::OptionFlags& flags) {
  constexpr const char* kKnown[] = {"showExecutionSteps",    "showVarStorage", "showOptimizations",
                                    "showPerIpuMemoryUsage", "colours",        "showMachine"};
  for (const auto& flag : flags)
    if (std::find(std::begin(kKnown), std::end(kKnown), flag.first) == std::end(kKnown))
      throw poplar::invalid_option("unknown option of printProfileSummary: '" + flag.first + "'");
  return {.showExecutionSteps = isOn(flags, "showExecutionSteps"),
          .showVarStorage = isOn(flags, "showVarStorage"),
          .showMachine = isOn(flags, "showMachine")};
}

} // namespace ipumodel

namespace poplar {

void printProfileSummary(std::ostream& out, const std::string& profilePath,
                         const OptionFlags& opts) {
  ipumodel::printSummary(out, *pva::openReport(profilePath).data(), ipumodel::summaryOptions(opts));
}

void printGraphSummary(std::ostream& out, const std::string& profilePath, const OptionFlags& opts) {
  ipumodel::ProfileData graph = *pva::openReport(profilePath).data();
  graph.execution.recorded = false;
  ipumodel::printSummary(out, graph, ipumodel::summaryOptions(opts));
}

void printGraphSummary(std::ostream& out, const ProfileValue& graphProfile,
                       const OptionFlags& opts) {
  ipumodel::summaryOptions(opts);
  const ProfileValue& target = graphProfile["target"];
  out << "Target:\n";
  ipumodel::row(out, "Type", target["type"]);
  ipumodel::row(out, "Number of tiles", target["numTiles"]);
  ipumodel::row(out, "Memory per tile (bytes)", target["bytesPerTile"]);
  const ProfileValue& graph = graphProfile["graph"];
  out << "\nGraph:\n";
  ipumodel::row(out, "Number of vertices", graph["numVertices"]);
  ipumodel::row(out, "Number of edges", graph["numEdges"]);
  ipumodel::row(out, "Number of variables", graph["numVars"]);
  ipumodel::row(out, "Number of compute sets", graph["numComputeSets"]);
  std::uint64_t largest = 0;
  const ProfileValue& byTile = graphProfile["memory"]["byTile"]["totalIncludingGaps"];
  for (const ProfileValue& bytes : byTile.asVector())
    largest = std::max(largest, bytes.asUint());
  out << "\nMemory Usage:\n";
  ipumodel::row(out, "Total for all tiles (bytes)", byTile.sumUint());
  ipumodel::row(out, "Maximum of a tile (bytes)", largest);
}

void printExecutionSummary(std::ostream& out, const ProfileValue&,
                           const ProfileValue& executionProfile, const OptionFlags& opts) {
  const ipumodel::SummaryOptions options = ipumodel::summaryOptions(opts);
  const ProfileValue* simulation = executionProfile.type() == ProfileValue::Type::MAP
                                       ? executionProfile.getOrNull("simulation")
                                       : nullptr;
  if (!simulation)
    return;
  out << "\nExecution:\n";
  ipumodel::row(out, "Total cycles", (*simulation)["cycles"]);
  if (options.showExecutionSteps)
    for (const ProfileValue& step : (*simulation)["steps"].asVector())
      ipumodel::row(out, step["name"].asString().c_str(), step["cycles"]);
}

void printProfileSummary(std::ostream& out, const ProfileValue& graphProfile,
                         const ProfileValue& executionProfile, const OptionFlags& opts) {
  printGraphSummary(out, graphProfile, opts);
  printExecutionSummary(out, graphProfile, executionProfile, opts);
}

} // namespace poplar
