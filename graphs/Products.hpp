// The products of the backward pass with weights: what a unit sends back to the lists it read.
#pragma once

#include "graphs/Lists.hpp"
#include "graphs/UnitTensors.hpp"

namespace spillway {

// What a unit's adjoints send back to the list it read (and, recurrent, to its own).
void addProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                 const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                 poplar::ComputeSet computeSet);

} // namespace spillway
