// The vertices of the backward pass, beside their forward twins. Each adds one unit's share.
#pragma once

#include "graphs/Lists.hpp"
#include "graphs/SurrogateCache.hpp"
#include "graphs/UnitTensors.hpp"

namespace spillway {

// The adjoint of a block of steps of a layer. above: the unit that reads the layer's list, or null.
// gradients: a piece per group of the list, FLOAT [numSamples][slabRows][capacity], d loss / d
// spike for the layer's own list, or where vertices are for whole layers [numSamples][capacity],
// what the block after sent; not used where every neuron learns. cache: stands in for the states,
// or null.
void addSpikingBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                        const UnitTensors& tensors, const UnitTensors* above, const Lists& lists,
                        const TiledTensor& gradients, const SurrogateCache* cache,
                        const Sequencer& sequencer, poplar::ComputeSet computeSet);

// stepErrors: FLOAT [numSamples * blockSteps, numOutputs] where every step has its loss, else not
// used.
void addReadoutBackward(poplar::Graph& graph, const Geometry& geometry, const UnitTensors& tensors,
                        const poplar::Tensor& stepErrors, const Sequencer& sequencer,
                        poplar::ComputeSet computeSet);

// Adds the further copies of all units' weight gradients to the first, after the last backward
// step. REQUIRES: there are some, and no gated unit.
void addGradientCopies(poplar::Graph& graph, const Geometry& geometry,
                       const std::vector<UnitTensors>& units, poplar::ComputeSet computeSet);

// What a unit received turned round, for addWeightGradient() in a later compute set; nothing where
// that needs no index.
void addIndexLists(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                   const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                   poplar::ComputeSet computeSet);

// A unit's block into its weight gradients.
void addWeightGradient(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                       const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                       poplar::ComputeSet computeSet);

// What the unit above (and a recurrent layer itself) sent back, summed into the gradients of a
// layer's list. gradients: a piece per group of the list. REQUIRES: not every neuron learns, and
// vertices are not for whole layers, which sum for themselves.
void addSumPartials(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                    const std::vector<UnitTensors>& tensors, const Lists& lists,
                    const TiledTensor& gradients, const Sequencer& sequencer,
                    poplar::ComputeSet computeSet);

} // namespace spillway
