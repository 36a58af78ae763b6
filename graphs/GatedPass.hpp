// The vertices of gated layers, forward and backward, with those of the readout that reads their
// events. Each function adds one unit's share to a compute set.
#pragma once

#include "graphs/ForwardPass.hpp"
#include "graphs/Lists.hpp"
#include "graphs/UnitTensors.hpp"

#include <optional>

namespace spillway {

// Streams of the masks' hash (docs/egru.md).
inline unsigned zoneoutStream(std::size_t layer) {
  return 2 * static_cast<unsigned>(layer + 1);
}
inline unsigned dropconnectStream(std::size_t layer) {
  return zoneoutStream(layer) + 1;
}
inline unsigned dropoutStream(std::size_t layer) {
  return 0x10000u + static_cast<unsigned>(layer);
}

// Gather and update a block of steps of a layer; the first time, its events appear as masks and
// outputs. phase: see CarriedState.
void addGatedForward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                     const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                     const poplar::Tensor& phase, ForwardUse use, poplar::ComputeSet computeSet);

// For vertices that read the lists of many steps in place, of all samples or of `only` one group:
// where they lie, and which index of the history of a list a unit read in step 0. Of a layer's
// history, index i holds what was sent in step i - 1; of the input's, of step i.
void connectHistory(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    const Lists& lists, std::size_t list,
                    std::optional<std::size_t> only = std::nullopt);
inline unsigned firstHistoryIndex(std::size_t unit, std::size_t list) {
  return list == 0 || list > unit ? 0 : 1;
}

// The products of a layer's list for some steps from the current one on, where a machine forms
// them ahead: of what it receives or of its own events.
enum class ListUse { Received, Own };
enum class Direction { Forward, Backward };
void addAheadProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      ListUse use, Direction direction, const UnitTensors& tensors,
                      const Lists& lists, const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet computeSet);

void addEventReadoutForward(poplar::Graph& graph, const Geometry& geometry,
                            const UnitTensors& tensors, const Lists& lists,
                            const Sequencer& sequencer, ForwardUse use,
                            poplar::ComputeSet computeSet);

// What the readout sends back to the entries of the list it read.
void addEventReadoutProduct(poplar::Graph& graph, const Geometry& geometry,
                            const UnitTensors& tensors, const Lists& lists,
                            const Sequencer& sequencer, poplar::ComputeSet computeSet);

// A layer's masks and outputs to lists. counters: as addCompaction().
void addEventCompaction(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                        const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                        const TiledTensor& counters, poplar::ComputeSet computeSet);

// The adjoint of a step of a layer, and what it sends back to the entries of the lists it read.
// gradients: FLOAT [numSamples][from the recurrence, from above][size], for the layer's own list.
// outside: FLOAT [numSamples][numSteps][size], dL/dy where no unit lies above; else null.
void addGatedBackward(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                      const UnitTensors& tensors, const Lists& lists,
                      const poplar::Tensor& gradients, const poplar::Tensor* outside,
                      const Sequencer& sequencer, const poplar::Tensor& phase,
                      poplar::ComputeSet computeSet);

// What the unit above and the layer itself sent back, summed into the layer's gradients.
void addSumEventPartials(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                         const std::vector<UnitTensors>& tensors, const Lists& lists,
                         const TiledTensor& gradients, const Sequencer& sequencer,
                         poplar::ComputeSet computeSet);

// The events that a unit received in `steps` steps, by id, for all tiles of the unit.
struct TurnedEvents {
  TurnedEvents() = default;
  TurnedEvents(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
               std::uint32_t steps, const poplar::DebugContext& debugContext);

  // UNSIGNED_INT [ids + 1], UNSIGNED_SHORT and FLOAT [steps * B * capacity]. Where products go by
  // row an entry's sample is step * B + sample.
  poplar::Tensor begins, entrySamples, entryValues;
};

// All active ids of the list that a unit received in its step, by id, where RowProduct sends down:
// UNSIGNED_INT [ids + 1], UNSIGNED_SHORT and UNSIGNED_INT [B * capacity].
struct TurnedActive {
  TurnedActive() = default;
  TurnedActive(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
               const poplar::DebugContext& debugContext);
  poplar::Tensor begins, samples, places;
};

// Of the step, and of those whose errors wait with it.
struct UnitTurnedLists {
  UnitTurnedLists(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                  const poplar::DebugContext& debugContext);
  std::vector<TurnedEvents> lists; // received, and a layer's own; none where gradients are late
  TurnedActive active;
};

// Turns a unit's list round: of all steps of the sequence, or of those whose errors wait.
enum class TurnSteps { All, Waiting };
void addTurnEvents(poplar::Graph& graph, const Geometry& geometry, std::size_t unit, ListUse use,
                   TurnSteps steps, const TurnedEvents& turned, const Lists& lists,
                   const Sequencer& sequencer, const poplar::Tensor& phase,
                   poplar::ComputeSet computeSet);

void addTurnLists(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                  const UnitTurnedLists& turned, const Lists& lists, const Sequencer& sequencer,
                  const poplar::Tensor& phase, poplar::ComputeSet computeSet);

// What a layer sends back, where that goes by row: to the entries of the list it received, and to
// its own units of the step before.
void addRowProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                    const UnitTensors& tensors, const UnitTurnedLists& turned,
                    const Sequencer& sequencer, const poplar::Tensor& phase,
                    poplar::ComputeSet computeSet);
void addRecurrentProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                          const UnitTensors& tensors, const Lists& lists,
                          const Sequencer& sequencer, poplar::ComputeSet computeSet);

// A unit's step into its parameters' gradients.
void addEventGradients(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
                       const UnitTensors& tensors, const UnitTurnedLists& turned,
                       const Sequencer& sequencer, poplar::ComputeSet computeSet);

} // namespace spillway
