// The vertices of the forward pass. Each function adds one unit's share to a compute set.
#pragma once

#include "graphs/Lists.hpp"
#include "graphs/UnitTensors.hpp"

namespace spillway {

// A first execution reads the slabs, a light step the light slabs.
enum class ForwardUse { First, Light };

// The slab of a list that a forward pass reads, and its rows.
const poplar::Tensor& slabOf(const Lists& lists, std::size_t list, ForwardUse use);
std::uint32_t slabRows(const Geometry& geometry, ForwardUse use);

// Gather, update and, the first time, threshold a block of steps of a layer; its spikes appear as
// masks.
void addSpikingForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                       const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                       ForwardUse use, poplar::ComputeSet computeSet);

// The same for the readout, which reduces its potential over time to the logits.
void addReadoutForward(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& tensors,
                       const Lists& lists, const Sequencer& sequencer, ForwardUse use,
                       poplar::ComputeSet computeSet);

// A layer's masks to lists. counters: UNSIGNED_INT, of the samples of a group of the list each, see
// CompactSpikes.
void addCompaction(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   const TiledTensor& counters, poplar::ComputeSet computeSet);

// Whether a layer's spikes are counted per neuron, for the loss.
bool countsSpikes(const Geometry& geometry, std::size_t layer);

} // namespace spillway
