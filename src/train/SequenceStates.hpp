// What a gated network carries from batch to batch, between the device and the host.
#pragma once

#include "graphs/SnnGraph.hpp"
#include "train/ReplicatedTensors.hpp"
#include "train/TrainingSession.hpp"

namespace spillway {

// thresholds: of each layer; of a layer without them empty, and every unit sent its state.
SequenceState sequenceFrom(const CarriedStates& carried, const Geometry& geometry,
                           const std::vector<std::vector<float>>& thresholds);

// By replica; empty where the network carries nothing.
std::vector<SequenceState> readSequences(ReplicatedTensors tensors, const SnnGraph& snn);
// REQUIRES: one for each replica. Where all are empty nothing is written; else an empty one is all
// zeros. Throws UserError for states of another batch size or network.
void writeSequences(const std::vector<SequenceState>& states, const SnnGraph& snn,
                    ReplicatedTensors tensors);

} // namespace spillway
