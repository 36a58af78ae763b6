#include "profile/ProfileData.hpp"
#include "profile/ProfileJson.hpp"
#include "pva/Factory.hpp"

#include <pva/pva.hpp>

#include <cstdlib>
#include <fstream>

namespace pva {
namespace {

// The SDK release whose interfaces the model follows.
constexpr const char* kVersion = "3.3.0";

unsigned partOf(const std::string& version, unsigned part) {
  std::size_t begin = 0;
  while (part-- > 0 && begin != std::string::npos)
    begin = version.find('.', begin) == std::string::npos ? std::string::npos
                                                          : version.find('.', begin) + 1;
  return begin == std::string::npos
             ? 0
             : static_cast<unsigned>(std::strtoul(version.c_str() + begin, nullptr, 10));
}

} // namespace

unsigned PoplarVersion::major() const {
  return partOf(text_, 0);
}
unsigned PoplarVersion::minor() const {
  return partOf(text_, 1);
}
unsigned PoplarVersion::point() const {
  return partOf(text_, 2);
}

std::ostream& operator<<(std::ostream& os, const PoplarVersion& version) {
  return os << version.string();
}

std::uint32_t ProfileReportVersion::majorVer() const {
  return static_cast<std::uint32_t>(ipumodel::kProfileJsonVersion);
}
std::ostream& operator<<(std::ostream& os, const ProfileReportVersion& version) {
  return os << version.majorVer() << '.' << version.minorVer() << '.' << version.pointVer();
}

InstrumentationSettings::ComputeInstrumentationLevel InstrumentationSettings::compute() const {
  return data_->execution.recorded ? Tile : Off;
}
InstrumentationSettings::ExternalExchangeInstrumentationLevel
InstrumentationSettings::externalExchange() const {
  return data_->execution.recorded ? ExternalExchangeInstrumentationLevel::Tile
                                   : ExternalExchangeInstrumentationLevel::Off;
}

Target::Type Target::type() const {
  const std::string& type = data_->target.type;
  return type == "CPU" ? Type::CPU : type == "IPU" ? Type::IPU : Type::IPU_MODEL;
}
std::uint32_t Target::numIPUs() const {
  return data_->target.numIpus * data_->target.numReplicas;
}
std::uint32_t Target::numReplicas() const {
  return data_->target.numReplicas;
}
std::uint32_t Target::tilesPerIPU() const {
  return data_->target.tilesPerIpu;
}
std::uint32_t Target::numTiles() const {
  return data_->target.numTiles() * data_->target.numReplicas;
}
std::uint64_t Target::bytesPerTile() const {
  return data_->target.bytesPerTile;
}
std::uint64_t Target::bytesPerIPU() const {
  return bytesPerTile() * tilesPerIPU();
}
std::uint64_t Target::totalMemory() const {
  return bytesPerTile() * numTiles();
}
double Target::clockFrequency() const {
  return data_->target.clockHz;
}
std::string Target::architecture() const {
  return data_->target.architecture;
}

std::uint64_t Graph::numVertices() const {
  return data_->graph.numVertices;
}
std::uint64_t Graph::numEdges() const {
  return data_->graph.numEdges;
}
std::uint64_t Graph::numVars() const {
  return data_->graph.numVars;
}
std::uint64_t Graph::numComputeSets() const {
  return data_->graph.numComputeSets;
}

std::uint64_t NotAlwaysLiveMemory::bytes() const {
  return data_->livenessSteps[step_].bytes;
}
std::vector<LoweredVariable> NotAlwaysLiveMemory::variables() const {
  std::vector<LoweredVariable> result;
  for (const std::uint32_t variable : data_->livenessSteps[step_].variables)
    result.push_back(LoweredVariable(data_, variable));
  return result;
}

ProgramPtr LivenessProgramStep::program() const {
  return makeProgram(data_, data_->livenessSteps[index_].program);
}

List<Tile> CompilationReport::tiles() const {
  return List<Tile>(data_, 0, data_->tiles.size());
}

std::vector<ProgramPtr> CompilationReport::programs() const {
  std::vector<ProgramPtr> result;
  for (std::size_t i = 0; i < data_->programs.size(); ++i)
    result.push_back(makeProgram(data_, i));
  return result;
}

List<ComputeSet> CompilationReport::computeSets() const {
  return List<ComputeSet>(data_, 0, data_->computeSets.size());
}

std::vector<AlwaysLiveVariable> CompilationReport::alwaysLiveVariables() const {
  std::vector<AlwaysLiveVariable> result;
  for (const ipumodel::VariableInfo& variable : data_->variables)
    if (variable.alwaysLive)
      result.push_back(AlwaysLiveVariable(variable.name, variable.bytes));
  ipumodel::CategoryBytes sum;
  for (const ipumodel::TileMemory& tile : data_->tiles)
    sum += tile.alwaysLive;
  for (std::size_t i = 0; i < ipumodel::kNumCategories; ++i) {
    const auto category = static_cast<ipumodel::Category>(i);
    const bool isData =
        category == ipumodel::Category::Variable || category == ipumodel::Category::Constant;
    if (!isData && sum[category] > 0)
      result.push_back(AlwaysLiveVariable(std::string(ipumodel::kCategoryNames[i]), sum[category]));
  }
  return result;
}

List<LivenessProgramStep> CompilationReport::livenessProgramSteps() const {
  return List<LivenessProgramStep>(data_, 0, data_->livenessSteps.size());
}

List<LoweredVariable> CompilationReport::loweredVariables() const {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < data_->variables.size(); ++i)
    if (data_->variables[i].bytes > 0)
      used.push_back(i);
  return List<LoweredVariable>(data_, std::move(used));
}

PoplarVersion Report::poplarVersion() const {
  return PoplarVersion(kVersion);
}

Report openReport(const std::string& path, const std::string&) {
  const std::string graphcores = "profile.pop";
  std::string file = path;
  if (file.size() >= graphcores.size() &&
      file.compare(file.size() - graphcores.size(), graphcores.size(), graphcores) == 0)
    file.replace(file.size() - graphcores.size(), graphcores.size(), "profile.json");
  std::ifstream stream(file);
  if (!stream)
    throw std::runtime_error("cannot open the profile " + file);
  return Report(std::make_shared<const ipumodel::ProfileData>(ipumodel::readProfileJson(stream)));
}

} // namespace pva
