// The loop over a schedule's actions.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Sequencer.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Program.hpp>

#include <utility>
#include <vector>

namespace spillway {

// One loop over all actions where transfers hold up compute. With IO tiles two of them: the outer
// one runs over the transfers of states, the inner one over the actions until the next transfer. No
// IO tile has a part in the inner loop, not even in its decisions, so a transfer that has been
// started goes on beside it.
class ScheduleLoop {
public:
  ScheduleLoop(const Geometry& geometry, const Sequencer& sequencer,
               const poplar::DebugContext& debugContext);

  // What an action that leaves the IO tiles alone does; and one that does not.
  void add(unsigned code, const poplar::program::Program& program);
  void addTransfer(unsigned code, const poplar::program::Program& program);

  poplar::program::Program finish(poplar::Graph& graph) const;

private:
  const Geometry& geometry_;
  const Sequencer& sequencer_;
  poplar::DebugNameAndId name_;
  poplar::program::Switch actions_;
  std::vector<std::pair<unsigned, poplar::program::Program>> transfers_;
};

} // namespace spillway
