// Runs any schedule over a network on the device: the heart.
//
// The program is a small interpreter. A table of actions (ActionTable.hpp) lies on the control
// tile, a long one page by page; a loop fetches one action at a time and switches to the program
// for its kind, which loops over blocks of steps. So one program serves all strategies and lengths,
// its size does not grow with T, and strategies cannot differ in arithmetic: only in when states
// are kept, recomputed or moved.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/LossTensors.hpp"
#include "graphs/RemoteRows.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/UnitTensors.hpp"
#include "graphs/WordSoftmax.hpp"
#include "plan/MemoryModel.hpp"

#include <poplar/Program.hpp>

namespace spillway {

inline constexpr std::size_t kCountersPerSample = 3; // see CompactSpikes

struct UnrollTensors {
  UnrollTensors(poplar::Graph& graph, const Geometry& geometry,
                const poplar::DebugContext& debugContext);

  // By layer: FLOAT [B][slabRows][capacity], d loss / d its list; one float a group where all
  // learn.
  std::vector<TiledTensor> gradients;
  // By layer: UNSIGNED_INT [B][spikes, active, dropped], a group's samples in a piece.
  std::vector<TiledTensor> counters;
};

struct UnrolledSchedule {
  poplar::program::Program program; // runs the schedule in sequencer.actions
  RemoteRows inputs; // where spikes are spilled: the input's blocks, which the host writes
  std::vector<TiledTensor> cachedValues; // of the surrogate cache, by layer, if there is one
  plan::RemoteUse remote;                // the sizes of its remote buffers
};

// `sequenceLoss` runs between the forward and the backward pass; phase: see CarriedState. Remote
// states go to RemoteRows "checkpoints", numRows + 1 of them.
UnrolledSchedule checkpointedUnroll(poplar::Graph& graph, const Geometry& geometry,
                                    const std::vector<UnitTensors>& units, const Lists& lists,
                                    const UnrollTensors& tensors, const Sequencer& sequencer,
                                    const LossTensors& loss, const poplar::Tensor& phase,
                                    const WordSoftmax& words,
                                    const poplar::program::Program& sequenceLoss,
                                    const poplar::DebugContext& debugContext);

} // namespace spillway
