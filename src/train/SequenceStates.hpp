// What a gated network carries from batch to batch, between the device and the host.
#pragma once

#include "graphs/SnnGraph.hpp"
#include "train/TrainingSession.hpp"

#include <poplar/Engine.hpp>

namespace spillway {

// Empty where nothing is carried.
SequenceState readSequence(poplar::Engine& engine, const SnnGraph& snn);
// Does nothing for an empty state. Throws UserError for one of another batch size or network.
void writeSequence(const SequenceState& state, const SnnGraph& snn, poplar::Engine& engine);

} // namespace spillway
