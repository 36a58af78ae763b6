// How far a network can grow before a strategy no longer fits the memory.
#pragma once

#include "config/Settings.hpp"
#include "train/PlanInputs.hpp"

#include <cstdint>
#include <vector>

namespace spillway {

struct NetworkSize {
  std::uint32_t numHidden = 0; // layers; 0: not even one fits
  std::uint64_t numNeurons = 0;
  std::uint32_t neuronsPerTile = 0; // the most on one tile
};

// The network with its last hidden layer repeated until there are `numHidden`, on as few neurons a
// tile as hold it. REQUIRES: numHidden is at least 1.
Settings withHiddenLayers(const Settings& settings, std::uint32_t numHidden);

// For each strategy the largest such network that fits, up to kMostHidden layers, by slots and
// spikes, not the table of actions.
inline constexpr std::uint32_t kMostHidden = 512;
std::vector<NetworkSize> largestNetworks(const Settings& settings, const PlanOptions& options,
                                         const std::vector<plan::Strategy>& strategies);

} // namespace spillway
