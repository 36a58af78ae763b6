#include "profile/ProfileData.hpp"
#include "pva/Dense.hpp"
#include "pva/Factory.hpp"

#include <pva/Execution.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pva {
namespace {

using ipumodel::ProgramType;

const ipumodel::ExecutedStep& stepOf(const Data& data, std::size_t index) {
  return data->execution.steps[index];
}

const ipumodel::ProgramInfo& programOf(const Data& data, std::size_t step) {
  return data->programs[stepOf(data, step).program];
}

bool isTransfer(const ipumodel::ProgramInfo& program) {
  return program.type == ProgramType::StreamCopy || program.type == ProgramType::RemoteCopy;
}

// Tiles where the program or one inside it has vertices or data to move.
std::set<std::size_t> tilesOf(const ipumodel::ProfileData& data, std::uint32_t index) {
  const ipumodel::ProgramInfo& program = data.programs[index];
  std::set<std::size_t> tiles;
  const auto add = [&](const ipumodel::ByTile& values) {
    for (const auto& [tile, value] : values)
      tiles.insert(tile);
  };
  add(program.bytesSent);
  add(program.bytesReceived);
  if (program.computeSet >= 0)
    add(data.computeSets[static_cast<std::size_t>(program.computeSet)].estimatedCycles);
  for (const std::uint32_t child : program.children)
    tiles.merge(tilesOf(data, child));
  return tiles;
}

} // namespace

ProgramPtr ExecutionStep::program() const {
  return makeProgram(data_, stepOf(data_, index_).program);
}

std::vector<ComputeSet> ExecutionStep::computeSets() const {
  const std::int32_t set = programOf(data_, index_).computeSet;
  return set < 0 ? std::vector<ComputeSet>()
                 : std::vector<ComputeSet>{ComputeSet(data_, static_cast<std::size_t>(set))};
}

std::uint64_t ExecutionStep::cycles() const {
  return stepOf(data_, index_).cycles;
}
std::uint64_t ExecutionStep::cyclesFrom() const {
  return stepOf(data_, index_).from;
}
std::uint64_t ExecutionStep::cyclesTo() const {
  return cyclesFrom() + cycles();
}

std::vector<std::uint64_t> ExecutionStep::cyclesByTile() const {
  const ipumodel::ProgramInfo& program = programOf(data_, index_);
  if (program.computeSet >= 0)
    return ComputeSet(data_, static_cast<std::size_t>(program.computeSet)).cyclesByTile();
  if (program.type != ProgramType::DoExchange)
    return std::vector<std::uint64_t>(data_->tiles.size(), cycles());
  std::vector<std::uint64_t> result(data_->tiles.size());
  for (const auto& [tile, bytes] : program.bytesReceived)
    result[tile] = cycles();
  return result;
}

std::vector<StepOnIpu> ExecutionStep::ipus() const {
  const std::vector<std::uint64_t> byTile = cyclesByTile();
  const std::size_t tilesPerIpu = std::max<std::size_t>(1, data_->target.tilesPerIpu);
  std::vector<StepOnIpu> result;
  for (std::size_t first = 0; first < byTile.size(); first += tilesPerIpu) {
    const std::size_t end = std::min(byTile.size(), first + tilesPerIpu);
    std::uint64_t most = 0, sum = 0, active = 0;
    for (std::size_t tile = first; tile < end; ++tile) {
      most = std::max(most, byTile[tile]);
      sum += byTile[tile];
      active += byTile[tile] > 0 ? 1 : 0;
    }
    const double balance = most == 0
                               ? 0
                               : static_cast<double>(sum) /
                                     (static_cast<double>(most) * static_cast<double>(end - first));
    result.push_back(StepOnIpu(cyclesFrom(), cycles(), std::min(most, cycles()), balance, active));
  }
  return result;
}

std::string Run::name() const {
  return data_->execution.runs[index_].name;
}

Microseconds Run::microseconds() const {
  const ipumodel::RunInfo& run = data_->execution.runs[index_];
  const auto at = [&](std::uint64_t step) {
    const auto& steps = data_->execution.steps;
    const std::uint64_t cycles = step < steps.size() ? steps[step].from
                                 : steps.empty()     ? 0
                                                     : steps.back().from + steps.back().cycles;
    return 1e6 * static_cast<double>(cycles) / data_->target.clockHz;
  };
  return Microseconds(at(run.firstStep), at(run.endStep));
}

List<ExecutionStep> Run::steps() const {
  const ipumodel::RunInfo& run = data_->execution.runs[index_];
  return List<ExecutionStep>(data_, run.firstStep, run.endStep - run.firstStep);
}

std::uint64_t Block::cyclesFrom() const {
  return data_->execution.blocks[index_].from;
}
std::uint64_t Block::cyclesTo() const {
  return cyclesFrom() + data_->execution.blocks[index_].cycles;
}
ProgramPtr Block::program() const {
  return makeProgram(data_, data_->execution.blocks[index_].program);
}
bool Block::isStreamCopy() const {
  return isTransfer(data_->programs[data_->execution.blocks[index_].program]);
}

List<ExecutionStep> ExecutionReport::steps() const {
  return List<ExecutionStep>(data_, 0, data_->execution.steps.size());
}

List<Run> ExecutionReport::runs() const {
  return List<Run>(data_, 0, data_->execution.runs.size());
}

std::vector<Block> ExecutionReport::blocks(std::size_t tile) const {
  std::vector<Block> result;
  const std::size_t tilesPerIpu = data_->target.tilesPerIpu;
  const std::size_t ipu = tile / tilesPerIpu;
  const bool isWatched = tile % tilesPerIpu == data_->execution.blockTile;
  std::map<std::uint32_t, bool> isHere; // by program
  for (std::size_t i = 0; i < data_->execution.blocks.size(); ++i) {
    const std::uint32_t program = data_->execution.blocks[i].program;
    const auto [it, isNew] = isHere.try_emplace(program, false);
    if (isNew && isTransfer(data_->programs[program]))
      it->second = tilesOf(*data_, program).contains(tile);
    else if (isNew && isWatched)
      for (const std::size_t used : tilesOf(*data_, program))
        it->second |= used / tilesPerIpu == ipu;
    if (it->second)
      result.push_back(Block(data_, i, tile));
  }
  return result;
}

std::uint64_t ExecutionReport::totalCycles() const {
  return data_->execution.cycles.total();
}
std::uint64_t ExecutionReport::numStepsDropped() const {
  return data_->execution.stepsDropped;
}
std::uint64_t ExecutionReport::numUnknownVertexExecutions() const {
  return data_->execution.unknownVertexExecutions;
}

} // namespace pva
