#include "profile/ProfileJson.hpp"

#include "profile/TileBalance.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace ipumodel {

using nlohmann::json;

// The enumerations by name, the categories as an object without zeros; all else field by field.
NLOHMANN_JSON_SERIALIZE_ENUM(Confidence, {{Confidence::Uncalibrated, "uncalibrated"},
                                          {Confidence::Vendor, "vendor"},
                                          {Confidence::ThirdParty, "third party"},
                                          {Confidence::Derived, "derived"},
                                          {Confidence::Chosen, "chosen"}})
NLOHMANN_JSON_SERIALIZE_ENUM(ProgramType, {{ProgramType::Other, "Other"},
                                           {ProgramType::Sequence, "Sequence"},
                                           {ProgramType::Block, "Block"},
                                           {ProgramType::Repeat, "Repeat"},
                                           {ProgramType::RepeatWhile, "RepeatWhile"},
                                           {ProgramType::If, "If"},
                                           {ProgramType::Switch, "Switch"},
                                           {ProgramType::Call, "Call"},
                                           {ProgramType::OnTileExecute, "OnTileExecute"},
                                           {ProgramType::DoExchange, "DoExchange"},
                                           {ProgramType::GlobalExchange, "GlobalExchange"},
                                           {ProgramType::StreamCopy, "StreamCopy"},
                                           {ProgramType::RemoteCopy, "RemoteCopy"},
                                           {ProgramType::Sync, "Sync"},
                                           {ProgramType::WriteUndef, "WriteUndef"}})

static void to_json(json& j, const CategoryBytes& bytes) {
  j = json::object();
  for (std::size_t i = 0; i < kNumCategories; ++i)
    if (const std::uint64_t b = bytes[static_cast<Category>(i)]; b > 0)
      j[std::string(kCategoryNames[i])] = b;
}

static void from_json(const json& j, CategoryBytes& bytes) {
  for (std::size_t i = 0; i < kNumCategories; ++i)
    if (const auto it = j.find(std::string(kCategoryNames[i])); it != j.end())
      bytes[static_cast<Category>(i)] = it->get<std::uint64_t>();
}

static void to_json(json& j, const VertexCount& v) {
  j = {v.type, v.count};
}
static void from_json(const json& j, VertexCount& v) {
  v.type = j.at(0);
  v.count = j.at(1);
}

static void to_json(json& j, const ExecutedStep& s) {
  j = {s.program, s.from, s.cycles};
}
static void from_json(const json& j, ExecutedStep& s) {
  s.program = j.at(0);
  s.from = j.at(1);
  s.cycles = j.at(2);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ParameterNote, name, value, unit, source, confidence)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TargetInfo, type, architecture, numIpus, tilesPerIpu,
                                   numReplicas, bytesPerTile, clockHz)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GraphInfo, numVertices, numEdges, numVars, numComputeSets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VertexTypeInfo, name, kind, codeBytes, instances)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VariableInfo, name, bytes, isConstant, alwaysLive)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TileMemory, alwaysLive, atPeak, gapBytes, peakStep, vertices)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComputeSetInfo, name, vertices, estimatedCycles, flops,
                                   unknownVertices, askedVertices, measuredExecutions,
                                   measuredCycles, measuredBusyCycles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramInfo, type, name, children, computeSet, repeatCount,
                                   bytes, cycles, variables, bytesSent, bytesReceived, codeBytes,
                                   controlBytesPerTile)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LivenessStep, program, bytes, busiestTileBytes, variables)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CycleSplit, compute, exchange, sync, globalExchange, stream,
                                   remote)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProgramTotal, executions, cycles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunInfo, name, program, firstStep, endStep, numSteps,
                                   hostSeconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ExecutionInfo, recorded, cycles, programs, steps,
                                                beside, blocks, blockTile, stepsDropped, runs,
                                                unknownVertexExecutions, hiddenCycles, stalls)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfileData, producer, target, machine, workerContexts, graph,
                                   vertexTypes, variables, tiles, computeSets, programs,
                                   entryPrograms, functionPrograms, livenessSteps, execution)

namespace {

constexpr const char* kFormat = "spillway-profile";

} // namespace

void writeProfileJson(std::ostream& out, const ProfileData& profile, std::size_t mostSteps) {
  json tree = profile;
  json& execution = tree["execution"];
  execution["tileBalance"] = tileBalance(profile);
  if (const std::size_t steps = profile.execution.steps.size(); steps > mostSteps) {
    json& kept = execution["steps"];
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(mostSteps), kept.end());
    execution["stepsDropped"] = profile.execution.stepsDropped + (steps - mostSteps);
    for (json& run : execution["runs"]) {
      run["firstStep"] = std::min(run["firstStep"].get<std::size_t>(), mostSteps);
      run["endStep"] = std::min(run["endStep"].get<std::size_t>(), mostSteps);
    }
  }
  tree["format"] = kFormat;
  tree["version"] = kProfileJsonVersion;
  tree["modelled"] = true;
  out << tree.dump() << '\n';
}

ProfileData readProfileJson(std::istream& in) {
  try {
    const json tree = json::parse(in);
    if (tree.value("format", "") != kFormat || tree.value("version", 0) != kProfileJsonVersion)
      throw std::runtime_error("not a profile of format " + std::string(kFormat) + ", version " +
                               std::to_string(kProfileJsonVersion));
    return tree.get<ProfileData>();
  } catch (const json::exception& e) {
    throw std::runtime_error(std::string("not a profile: ") + e.what());
  }
}

} // namespace ipumodel
