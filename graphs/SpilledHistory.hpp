// The lists of all steps in Streaming Memory, a history block a row, so that what is kept on chip
// does not grow with the sequence. The input's blocks are put there by the host, the layers' by the
// forward pass; cached values and kept gates travel with them. Lists that are shorter so travel as
// masks.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/RemoteRows.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/SurrogateCache.hpp"
#include "graphs/TiledTensor.hpp"

#include <poplar/Program.hpp>

#include <optional>
#include <vector>

namespace spillway {

// Which block moves between which buffer and row is in sequencer.historyBuffer and blockRow.
class SpilledHistory {
public:
  SpilledHistory(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
                 const std::vector<UnitTensors>& units, const SurrogateCache* cache,
                 const Sequencer& sequencer, const poplar::DebugContext& debugContext);

  // Fetches the input's block where the forward pass enters a new one.
  poplar::program::Program loadInput() const;
  poplar::program::Program write() const;
  poplar::program::Program read() const;

  // Where the host puts the input's blocks.
  const RemoteRows& inputs() const { return inputs_; }
  const RemoteRows& spikes() const { return spikes_; } // of layers
  const RemoteRows& values() const { return values_; } // cached ones, or kept gates

private:
  // What moves of list h's block in a buffer, flat: the masks, or the lists themselves.
  poplar::Tensor moved(std::size_t list, std::size_t buffer) const;
  poplar::Tensor layerBlocks(std::size_t buffer) const; // of all layers, [1, ...]
  poplar::Tensor valueBlocks(std::size_t buffer) const; // likewise of the cache, or of kept gates
  // The program that makeCopy(buffer) returns for the buffer in use.
  template <class MakeCopy>
  poplar::program::Program forBufferInUse(const MakeCopy& makeCopy) const;
  // Lists of a shard that a block moves.
  std::size_t numRows(std::size_t list, const HistoryShard& shard) const;
  // Vertices between the masks of list h and the buffer in use.
  void addVertices(poplar::Graph& graph, const char* type, std::size_t list,
                   poplar::ComputeSet computeSet) const;

  bool hasValues() const { return cache_ != nullptr || geometry_.sequence.keepsGates; }

  const Geometry& geometry_;
  const Lists& lists_;
  const std::vector<UnitTensors>& units_;
  const SurrogateCache* cache_; // or null
  const Sequencer& sequencer_;
  std::vector<std::optional<TiledTensor>> masks_; // by list
  poplar::ComputeSet pack_, unpack_, unpackInput_;
  RemoteRows inputs_, spikes_, values_;
};

} // namespace spillway
