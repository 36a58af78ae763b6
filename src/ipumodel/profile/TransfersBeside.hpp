// Copies to and from Streaming Memory that run beside the program.
//
// A tile that no vertex runs on is an IO tile. A copy between a remote buffer and IO tiles alone
// holds nobody up until a step involves an IO tile again, which then waits; so does whatever else
// goes off the chip, since there is one link. A loop or a branch involves all tiles that anything
// inside it does: they have to learn where control goes.
#pragma once

#include "graph/GraphData.hpp"
#include "profile/StepTable.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ipumodel {

struct StepCost;

enum class LinkUse : std::uint8_t {
  None,
  Starts, // a copy that runs beside what follows
  Waits   // until such copies are done
};

// Whether any copy of the programs lies on IO tiles alone.
bool hasTransfersBeside(const GraphData& graph, const StepTable& steps);

// Sets the link use of every step. REQUIRES: the costs have their parts.
void markLinkUse(const GraphData& graph, const StepTable& steps, std::vector<StepCost>& costs);

// The link's clock, in cycles, beside that of the program.
class LinkClock {
public:
  // A copy that takes `cycles`, started at `now`: when the link begins it.
  std::uint64_t start(std::uint64_t now, std::uint64_t cycles) {
    const std::uint64_t begin = std::max(now, free_);
    free_ = begin + cycles;
    busy_ += cycles;
    return begin;
  }
  // How long a step at `now` has to wait for all copies.
  std::uint64_t wait(std::uint64_t now) {
    const std::uint64_t cycles = free_ > now ? free_ - now : 0;
    stalled_ += cycles;
    numStalls_ += cycles > 0 ? 1 : 0;
    return cycles;
  }

  std::uint64_t stalledCycles() const { return stalled_; }
  std::uint64_t hiddenCycles() const { return busy_ > stalled_ ? busy_ - stalled_ : 0; }
  std::uint64_t numStalls() const { return numStalls_; }

private:
  std::uint64_t free_ = 0, busy_ = 0, stalled_ = 0, numStalls_ = 0;
};

} // namespace ipumodel
