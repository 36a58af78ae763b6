// The tensors and vertices that walk through a schedule on the device.
#pragma once

#include "graphs/Geometry.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/RemoteBuffer.hpp>
#include <poplar/Tensor.hpp>

#include <optional>

namespace spillway {

// All UNSIGNED_INT on the control tile unless said otherwise.
struct Sequencer {
  Sequencer(poplar::Graph& graph, const Geometry& geometry,
            const poplar::DebugContext& debugContext);

  poplar::Tensor actions;       // [tableActions * kActionWords]; the table, or a page of it
  poplar::Tensor firstPage;     // [1] INT; of the schedule to be run
  poplar::Tensor cursor;        // [kCursorWords]
  poplar::Tensor control;       // [numUnits, kControlWords]; the blocks being run
  poplar::Tensor next;          // [numUnits, kControlWords]; the blocks after them
  poplar::Tensor code;          // []; kind of the current action
  poplar::Tensor more;          // []; the schedule goes on
  poplar::Tensor computes;      // []; it does, and the current action transfers no state
  poplar::Tensor running;       // []; the action goes on
  poplar::Tensor transfer;      // [kTransferWords]
  poplar::Tensor remoteRows;    // [maxTransfer] INT
  poplar::Tensor historyBuffer; // []; where the action's history block lies on chip
  poplar::Tensor blockRow;      // [1] INT; which block it is, or which page of actions
  poplar::Tensor counts;        // [kCountWords]

  // Where the table is longer than a page, it lies in the remote buffer "actions".
  poplar::program::Program loadFirstPage() const;
  poplar::program::Program loadNextPage() const;

  // Resets cursor and counts, before a schedule.
  void addClear(poplar::Graph& graph, const Geometry& geometry,
                poplar::ComputeSet computeSet) const;
  // Adds the vertex that reads the next action to a compute set.
  void addFetchAction(poplar::Graph& graph, const Geometry& geometry,
                      poplar::ComputeSet computeSet) const;
  // Adds the vertex that works out `next` and `running`.
  void addNextBlocks(poplar::Graph& graph, const Geometry& geometry,
                     poplar::ComputeSet computeSet) const;

private:
  std::optional<poplar::RemoteBuffer> pages_;
};

} // namespace spillway
