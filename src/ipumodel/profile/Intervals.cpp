#include "profile/Intervals.hpp"

#include <algorithm>
#include <ostream>

namespace ipumodel {
namespace {

struct Row {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t compute = 0, sync = 0, exchange = 0;
};

void write(std::ostream& out, const Row& row) {
  if (row.begin != row.end)
    out << row.begin << ',' << row.end << ',' << row.compute << ',' << row.sync << ','
        << row.exchange << '\n';
}

std::uint64_t numExchanging(const ProgramInfo& program) {
  std::vector<std::uint32_t> tiles;
  for (const ByTile* bytes : {&program.bytesSent, &program.bytesReceived})
    for (const auto& [tile, count] : *bytes)
      if (count > 0)
        tiles.push_back(tile);
  std::sort(tiles.begin(), tiles.end());
  return static_cast<std::uint64_t>(std::unique(tiles.begin(), tiles.end()) - tiles.begin());
}

// Cycles of one execution by the tiles that have vertices, ascending; the mean where the vertices
// said what they cost.
std::vector<std::uint64_t> busyCycles(const ComputeSetInfo& set, std::uint64_t whole) {
  const bool measured = set.measuredExecutions > 0;
  std::vector<std::uint64_t> cycles;
  for (const auto& [tile, sum] : measured ? set.measuredCycles : set.estimatedCycles)
    if (const std::uint64_t busy = measured ? sum / set.measuredExecutions : sum)
      cycles.push_back(std::min(busy, whole));
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

// Tiles that have finished wait for the slowest.
void writeCompute(std::ostream& out, const ExecutedStep& step, const ComputeSetInfo& set,
                  std::uint64_t numTiles) {
  Row row{.begin = step.from};
  const std::vector<std::uint64_t> busy = busyCycles(set, step.cycles);
  for (std::size_t i = 0; i < busy.size(); ++i) {
    if (i > 0 && busy[i] == busy[i - 1])
      continue;
    row.end = step.from + busy[i];
    row.compute = busy.size() - i;
    row.sync = numTiles - row.compute;
    write(out, row);
    row.begin = row.end;
  }
  write(out, {.begin = row.begin, .end = step.from + step.cycles, .sync = numTiles});
}

} // namespace

void writeIntervals(std::ostream& out, const ProfileData& profile) {
  const std::uint64_t numTiles = profile.target.numTiles();
  for (const ExecutedStep& step : profile.execution.steps) {
    const ProgramInfo& program = profile.programs[step.program];
    Row row{.begin = step.from, .end = step.from + step.cycles, .sync = numTiles};
    if (program.computeSet >= 0) {
      writeCompute(out, step, profile.computeSets[static_cast<std::size_t>(program.computeSet)],
                   numTiles);
      continue;
    }
    if (program.type == ProgramType::OnTileExecute)
      row.compute = numTiles;
    else if (program.type == ProgramType::DoExchange)
      row.exchange = numExchanging(program);
    else if (program.type != ProgramType::Sync)
      row.exchange = numTiles;
    row.sync = numTiles - row.compute - row.exchange;
    write(out, row);
  }
}

} // namespace ipumodel
