// The distance to the threshold beside every stored id. It is all the backward pass needs of a
// spiking layer's states, so with it no state is kept or recomputed.
//
// REQUIRES: plan::surrogateCacheIsExact(network).
#pragma once

#include "graphs/Lists.hpp"
#include "graphs/UnitTensors.hpp"

namespace spillway {

class SurrogateCache {
public:
  SurrogateCache(poplar::Graph& graph, const Geometry& geometry,
                 const poplar::DebugContext& debugContext);

  // Picks the values of layer l's current block out of its distances, after its lists are made.
  void addGather(poplar::Graph& graph, std::size_t layer, const UnitTensors& tensors,
                 const Lists& lists, const Sequencer& sequencer,
                 poplar::ComputeSet computeSet) const;
  // As Lists::addStore and addFetchOwn, for the values of layer l's list.
  void addStore(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                poplar::ComputeSet computeSet) const;
  void addFetchOwn(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                   poplar::ComputeSet computeSet) const;

  // FLOAT [numSamples * blockSteps * capacity].
  const poplar::Tensor& ownSlab(std::size_t layer) const { return ownSlabs_[layer].flat(); }
  const std::vector<TiledTensor>& histories() const { return histories_; } // by layer
  bool appends(std::size_t layer) const { return appends_[layer]; }
  // What a history block on chip holds, flat.
  poplar::Tensor historyBlock(std::size_t layer, std::size_t buffer) const;

private:
  poplar::Tensor slabOfShard(const TiledTensor& slab, std::size_t layer,
                             const HistoryShard& shard) const;
  void setCopyFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                     const HistoryShard& shard) const;

  const Geometry& geometry_;
  // By layer: whether values go to the history and come from there without a slab between.
  std::vector<bool> inPlace_;
  std::vector<bool> appends_; // by layer: whether there they stand beside lists that are appended
  std::vector<std::vector<HistoryShard>> shards_;         // by layer; words are entries
  std::vector<TiledTensor> slabs_, ownSlabs_, histories_; // by layer
};

} // namespace spillway
