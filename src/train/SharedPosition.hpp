// Where a run stands, told by the rank that keeps its folder.
#pragma once

#include "parallel/Ranks.hpp"
#include "train/Snapshot.hpp"

namespace spillway {

// Collective: rank 0's place in the run, parameters and optimiser, on every rank. Means and times
// stay with the rank that records them. REQUIRES: rank 0's is complete.
void sharePosition(Ranks& ranks, const NetworkSpec& network, Snapshot& position);

// Collective: rank 0's parameters on every rank.
void shareParameters(Ranks& ranks, const NetworkSpec& network, ParameterSet& parameters);

} // namespace spillway
