// The training session on a Poplar device.
#pragma once

#include "device/AcquireDevice.hpp"
#include "network/GradientUse.hpp"
#include "network/OptimiserSpec.hpp"
#include "plan/MemoryModel.hpp"
#include "plan/Schedule.hpp"
#include "train/TrainingSession.hpp"

#include <memory>
#include <vector>

namespace spillway {

// Whether spikes and states can be read back after a batch (TrainingSession::trace).
enum class Tracing { Off, On };

struct SessionRequest {
  NetworkSpec network;
  OptimiserSpec optimiser;
  plan::Schedule schedule;
  std::uint32_t numSamples = 1;    // per batch
  std::uint32_t updateSamples = 0; // per update, where batches are shares of one; 0: a batch's
  GradientSharing sharing;
  std::uint32_t blockSteps = 1;     // steps a unit runs in one superstep
  std::uint32_t lightSteps = 1;     // likewise of light steps; recurrent networks too
  std::uint32_t gradientCopies = 1; // of weight gradients on a tile; more on an IPU alone
  std::uint32_t neuronsPerTile = 0; // 0: chosen
  bool keepsGates = false;          // of gated layers, for the backward pass
  DeviceRequest device;             // Cpu: numTiles is chosen here
  EngineSettings engine;
  Tracing tracing = Tracing::Off;
};

// Throws SettingError for an illegal network, and for one that no device can run with the schedule.
void requireRunnable(const SessionRequest& request);

// Builds the graph, compiles it and loads it. Throws UserError when the network is illegal or does
// not fit the device.
std::unique_ptr<TrainingSession> makeGraphSession(const SessionRequest& request);

// What the IPU Model's ledger says of the session's graph, tile by tile, in the parts of a plan:
// states, spikes, weights, gradients, optimiser and adjoint by the tensors' mapping; temporaries
// all other data at the tile's peak, staging included; rest the program and the table of actions.
// Builds the graph, runs nothing. Throws UserError on a device without a ledger.
struct SessionLedger {
  std::vector<plan::MemoryParts> tiles;
  plan::RemoteUse remote; // the graph's remote buffers
};
SessionLedger ledgerOf(const SessionRequest& request);

} // namespace spillway
