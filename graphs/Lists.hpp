// The lists of active ids on the device: the slabs that travel between tiles and the history that
// stays.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/TiledTensor.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace spillway {

class Lists {
public:
  Lists(poplar::Graph& graph, const Geometry& geometry, const poplar::DebugContext& debugContext);

  // [numSamples * slabRows * width], idType, each sample's part on its group's tile. What the unit
  // that reads list h sees of its block.
  const poplar::Tensor& slab(std::size_t list) const { return slabs_[list].flat(); }
  // The same for the layer that made the list, in the backward pass: its block may be another one.
  const poplar::Tensor& ownSlab(std::size_t list) const { return ownSlabs_[list].flat(); }
  // What light steps read: list h of a block of lightSteps steps, [numSamples * lightRows *
  // width]. REQUIRES: there are light steps.
  const poplar::Tensor& lightSlab(std::size_t list) const { return lightSlabs_[list].flat(); }
  // The part of a slab that belongs to a group of samples.
  poplar::Tensor slabOf(std::size_t list, std::size_t group) const {
    return slabs_[list].piece(group);
  }
  poplar::Tensor ownSlabOf(std::size_t list, std::size_t group) const {
    return ownSlabs_[list].piece(group);
  }

  // All history blocks on chip, a piece per shard.
  const TiledTensor& history(std::size_t list) const { return histories_[list]; }
  // Where lists are appended, the places of a shard's, [index][sample].
  const TiledTensor& begins(std::size_t list) const { return begins_[list]; }
  // REQUIRES of this and stored(): lists are not appended. A history block on chip, [historySteps +
  // 1, numSamples, width]: index i of a layer's holds the list of the block's step i-1, of the
  // input's the events of its step i (the last index is not used).
  poplar::Tensor historyBlock(std::size_t list, std::size_t buffer) const;
  // The same in the order in which it lies there, flat: shard after shard, each [index][sample of
  // the shard][word of the shard]; of the input without the last index. What moves so moves in few
  // pieces, whatever the number of steps.
  poplar::Tensor stored(std::size_t list, std::size_t buffer) const;
  // Empties the slabs, before a sequence.
  void addClear(poplar::Graph& graph, poplar::ComputeSet computeSet) const;

  // Stores what layer l made in its current block.
  void addStore(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                poplar::ComputeSet computeSet) const;
  // Fetches list h into its slab for the next block of the unit that reads it.
  void addFetch(poplar::Graph& graph, std::size_t list, const Sequencer& sequencer,
                poplar::ComputeSet computeSet) const;
  // Fetches the list of unit u's next block of light steps into its light slab.
  void addFetchLight(poplar::Graph& graph, std::size_t unit, const Sequencer& sequencer,
                     poplar::ComputeSet computeSet) const;
  // Fetches layer l's own list, for its next block, into its own slab.
  void addFetchOwn(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                   poplar::ComputeSet computeSet) const;

private:
  poplar::Tensor slabOfShard(const poplar::Tensor& slab, std::size_t rows, std::size_t list,
                             const HistoryShard& shard) const;
  enum class ExtraRow { No, Yes };
  ExtraRow receivedInSameStep(std::size_t list) const;
  unsigned valuesOf(std::size_t list) const; // the first word of a list's values; 0: it has none
  // A vertex of `type` between a slab and the history of a shard.
  poplar::VertexRef addMove(poplar::Graph& graph, const char* type, std::size_t list,
                            std::size_t index, const poplar::Tensor& slab, std::uint32_t rows,
                            const poplar::Tensor& control, poplar::ComputeSet computeSet) const;
  void addFetchInto(poplar::Graph& graph, std::size_t list, const poplar::Tensor& slab,
                    std::uint32_t rows, const poplar::Tensor& control, ExtraRow extraRow,
                    poplar::ComputeSet computeSet) const;

  const Geometry& geometry_;
  std::vector<TiledTensor> slabs_, ownSlabs_, lightSlabs_; // by list
  // By list, a piece per shard: [buffer][index][sample][word], or lists that are appended.
  std::vector<TiledTensor> histories_;
  std::vector<TiledTensor> begins_; // by list, where they are
};

} // namespace spillway
