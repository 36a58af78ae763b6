#include "profile/ProfileData.hpp"
#include "pva/Dense.hpp"
#include "pva/Factory.hpp"

#include <pva/Program.hpp>

namespace pva {
namespace {

using ipumodel::ProgramType;

const ipumodel::ProgramInfo& infoOf(const Data& data, std::size_t index) {
  return data->programs[index];
}

} // namespace

ProgramPtr makeProgram(const Data& data, std::size_t index) {
  switch (data->programs[index].type) {
  case ProgramType::OnTileExecute:
    return std::make_shared<OnTileExecuteProgram>(data, index);
  case ProgramType::DoExchange:
    return std::make_shared<DoExchangeProgram>(data, index);
  case ProgramType::GlobalExchange:
    return std::make_shared<GlobalExchangeProgram>(data, index);
  case ProgramType::StreamCopy:
  case ProgramType::RemoteCopy:
    return std::make_shared<StreamCopyProgram>(data, index);
  case ProgramType::Sync:
    return std::make_shared<SyncProgram>(data, index);
  case ProgramType::Repeat:
    return std::make_shared<RepeatProgram>(data, index);
  default:
    return std::make_shared<Program>(data, index);
  }
}

std::string LoweredVariable::name() const {
  return data_->variables[index_].name;
}
std::uint64_t LoweredVariable::bytes() const {
  return data_->variables[index_].bytes;
}
bool LoweredVariable::alwaysLive() const {
  return data_->variables[index_].alwaysLive;
}

VertexType ComputeSetVertices::type() const {
  return VertexType(data_, data_->computeSets[computeSet_].vertices[entry_].type);
}
std::uint64_t ComputeSetVertices::count() const {
  return data_->computeSets[computeSet_].vertices[entry_].count;
}

std::string ComputeSet::name() const {
  return data_->computeSets[index_].name;
}

std::vector<ComputeSetVertices> ComputeSet::vertices() const {
  std::vector<ComputeSetVertices> result;
  for (std::size_t i = 0; i < data_->computeSets[index_].vertices.size(); ++i)
    result.push_back(ComputeSetVertices(data_, index_, i));
  return result;
}

std::vector<std::uint64_t> ComputeSet::cyclesByTile() const {
  const ipumodel::ComputeSetInfo& set = data_->computeSets[index_];
  if (set.measuredExecutions == 0)
    return estimatedCyclesByTile();
  std::vector<std::uint64_t> cycles = dense(set.measuredCycles, *data_);
  for (std::uint64_t& c : cycles)
    c /= set.measuredExecutions;
  return cycles;
}

std::vector<std::uint64_t> ComputeSet::estimatedCyclesByTile() const {
  return dense(data_->computeSets[index_].estimatedCycles, *data_);
}

std::uint64_t ComputeSet::numVerticesOfUnknownCost() const {
  return data_->computeSets[index_].unknownVertices;
}

Program::~Program() = default;

Program::Type Program::type() const {
  switch (infoOf(data_, index_).type) {
  case ProgramType::Sequence:
    return Type::Sequence;
  case ProgramType::Block:
    return Type::Block;
  case ProgramType::Repeat:
    return Type::Repeat;
  case ProgramType::RepeatWhile:
    return Type::RepeatWhile;
  case ProgramType::If:
    return Type::If;
  case ProgramType::Switch:
    return Type::Switch;
  case ProgramType::Call:
    return Type::Call;
  case ProgramType::OnTileExecute:
    return Type::OnTileExecute;
  case ProgramType::DoExchange:
    return Type::DoExchange;
  case ProgramType::GlobalExchange:
    return Type::GlobalExchange;
  case ProgramType::StreamCopy:
  case ProgramType::RemoteCopy:
    return Type::StreamCopyMid;
  case ProgramType::Sync:
    return Type::Sync;
  case ProgramType::WriteUndef:
    return Type::WriteUndef;
  case ProgramType::Other:
    break;
  }
  return Type::Unknown;
}

std::string Program::name() const {
  return infoOf(data_, index_).name;
}

std::vector<ProgramPtr> Program::children() const {
  std::vector<ProgramPtr> result;
  for (const std::uint32_t child : infoOf(data_, index_).children)
    result.push_back(makeProgram(data_, child));
  return result;
}

std::vector<LoweredVariable> Program::vars() const {
  std::vector<LoweredVariable> result;
  for (const std::uint32_t variable : infoOf(data_, index_).variables)
    result.push_back(LoweredVariable(data_, variable));
  return result;
}

std::vector<std::uint64_t> Program::controlCodeByTile() const {
  const ipumodel::ProgramInfo& info = infoOf(data_, index_);
  if (info.computeSet < 0)
    return std::vector<std::uint64_t>(data_->tiles.size(), info.controlBytesPerTile);
  std::vector<std::uint64_t> result(data_->tiles.size());
  for (const auto& [tile, cycles] :
       data_->computeSets[static_cast<std::size_t>(info.computeSet)].estimatedCycles)
    result[tile] = info.controlBytesPerTile;
  return result;
}

std::vector<std::uint64_t> Program::codeBytesByTile() const {
  return dense(infoOf(data_, index_).codeBytes, *data_);
}

std::vector<ComputeSet> OnTileExecuteProgram::computeSets() const {
  const std::int32_t set = infoOf(data_, index_).computeSet;
  return set < 0 ? std::vector<ComputeSet>()
                 : std::vector<ComputeSet>{ComputeSet(data_, static_cast<std::size_t>(set))};
}

std::uint64_t DoExchangeProgram::totalData() const {
  return infoOf(data_, index_).bytes;
}
std::vector<std::uint64_t> DoExchangeProgram::bytesSentByTile() const {
  return dense(infoOf(data_, index_).bytesSent, *data_);
}
std::vector<std::uint64_t> DoExchangeProgram::bytesReceivedByTile() const {
  return dense(infoOf(data_, index_).bytesReceived, *data_);
}

std::uint64_t StreamCopyProgram::totalData() const {
  return infoOf(data_, index_).bytes;
}
bool StreamCopyProgram::isRemote() const {
  return infoOf(data_, index_).type == ProgramType::RemoteCopy;
}

std::uint64_t RepeatProgram::count() const {
  return infoOf(data_, index_).repeatCount;
}

void Program::accept(ProgramVisitor& visitor) const {
  visitor.visitProgram(*this);
}
void OnTileExecuteProgram::accept(ProgramVisitor& v) const {
  v.visitOnTileExecute(*this);
}
void DoExchangeProgram::accept(ProgramVisitor& v) const {
  v.visitDoExchange(*this);
}
void GlobalExchangeProgram::accept(ProgramVisitor& v) const {
  v.visitGlobalExchange(*this);
}
void StreamCopyProgram::accept(ProgramVisitor& v) const {
  v.visitStreamCopyMid(*this);
}
void SyncProgram::accept(ProgramVisitor& v) const {
  v.visitSync(*this);
}
void RepeatProgram::accept(ProgramVisitor& v) const {
  v.visitRepeat(*this);
}

ProgramVisitor::~ProgramVisitor() = default;

} // namespace pva
