// States that are copied between slots, or go to Streaming Memory and back: one Copy an IPU
// moves all its units' share of a checkpoint.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/RemoteRows.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

namespace spillway {

// Which states move where is in sequencer.transfer and sequencer.remoteRows when the programs run.
class StateMoves {
public:
  StateMoves(poplar::Graph& graph, const Geometry& geometry, const std::vector<UnitTensors>& units,
             const Sequencer& sequencer, const poplar::DebugContext& debugContext);

  poplar::program::Program copySlot();
  // REQUIRES: the sequence has rows in Streaming Memory.
  poplar::program::Program write();
  poplar::program::Program startRead();
  poplar::program::Program finishRead();

  std::size_t remoteBytes() const { return rows_.numBytes(graph_); }

private:
  TiledTensor makeStaging(const char* what) const;
  poplar::ComputeSet moves(const char* vertexType, const TiledTensor* staging);

  poplar::Graph& graph_;
  const Geometry& geometry_;
  const std::vector<UnitTensors>& units_;
  const Sequencer& sequencer_;
  poplar::DebugNameAndId name_;
  TiledTensor outgoing_,
      incoming_; // a piece per unit and tile: [maxTransfer][state floats on the tile], on that tile
                 // or, where transfers run beside compute, on the IO tiles
  RemoteRows rows_; // numRows + 1; the last takes what a short transfer leaves unused
};

} // namespace spillway
