// The lists of all steps in Streaming Memory, a history block a row, so that what is kept on chip
// does not grow with the sequence. The input's blocks are put there by the host, the layers' by the
// forward pass; with a cache its values travel with them.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/SurrogateCache.hpp"

#include <poplar/Program.hpp>
#include <poplar/RemoteBuffer.hpp>

namespace spillway {

// Which block moves between which buffer and row is in sequencer.historyBuffer and blockRow.
class SpilledHistory {
public:
  SpilledHistory(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
                 const SurrogateCache* cache, const Sequencer& sequencer,
                 const poplar::DebugContext& debugContext);

  // Fetches the input's block where the forward pass enters a new one.
  poplar::program::Program loadInput() const;
  poplar::program::Program write() const;
  poplar::program::Program read() const;

private:
  poplar::Tensor inputBlock(std::size_t buffer) const;  // flat
  poplar::Tensor layerBlocks(std::size_t buffer) const; // of all layers, flat
  poplar::Tensor valueBlocks(std::size_t buffer) const; // likewise of the cache
  // The program that makeCopy(buffer) returns for the buffer in use.
  template <class MakeCopy>
  poplar::program::Program forBufferInUse(const MakeCopy& makeCopy) const;

  const Geometry& geometry_;
  const Lists& lists_;
  const SurrogateCache* cache_; // or null
  const Sequencer& sequencer_;
  poplar::RemoteBuffer inputs_, spikes_, values_;
};

} // namespace spillway
