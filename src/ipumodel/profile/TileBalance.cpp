#include "profile/TileBalance.hpp"

#include <algorithm>

namespace ipumodel {

double tileBalance(const ProfileData& p) {
  double busy = 0, available = 0;
  // Empty where the execution was not recorded.
  const std::size_t recorded = std::min(p.programs.size(), p.execution.programs.size());
  for (std::size_t i = 0; i < recorded; ++i) {
    const std::int32_t set = p.programs[i].computeSet;
    const std::uint64_t executions = p.execution.programs[i].executions;
    if (set < 0 || executions == 0)
      continue;
    const ComputeSetInfo& info = p.computeSets[static_cast<std::size_t>(set)];
    const bool measured = info.measuredExecutions > 0;
    const ByTile& byTile = measured ? info.measuredCycles : info.estimatedCycles;
    const double scale = static_cast<double>(executions) /
                         static_cast<double>(measured ? info.measuredExecutions : 1);
    for (const auto& [tile, cycles] : byTile)
      busy += scale * static_cast<double>(cycles);
    available +=
        static_cast<double>(p.execution.programs[i].cycles) * static_cast<double>(p.tiles.size());
  }
  return available > 0 ? busy / available : 0;
}

} // namespace ipumodel
